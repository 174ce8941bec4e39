import type { TextIndex } from '#search/full-text/text-index.ts'
import type { LearntFetch } from '../entries/learnt-fetch.ts'
import type { GainMeter } from './gain-meter.ts'

/** A link that came or went: the page it is of, and the number of its text. */
interface Naming {
  readonly page: number
  readonly anchor: number
  readonly isNew: boolean
}

/** By page of the index: the links to it that came or went. */
type Namings = ReadonlyMap<number, readonly Naming[]>

/** Which pages of the index are called otherwise after these fetches, perhaps. */
export function namingsOf(fetches: readonly LearntFetch[], index: TextIndex): Namings {
  const namings = new Map<number, Naming[]>()
  for (const { outcome, renamed } of fetches) {
    if (!renamed) continue
    const page = outcome.id
    const { targets, anchors, areNew: isNew = false } = renamed
    for (let i = 0; i < targets.length; i++) {
      const target = targets[i]
      if (target === page || !index.has(target)) continue
      const naming = { page, anchor: anchors[i], isNew }
      const others = namings.get(target)
      if (others) others.push(naming)
      else namings.set(target, [naming])
    }
  }
  return namings
}

/**
 * Those of the namings that matter, by what links call each page now. Links that came and are not among these were
 * passed over when these were chosen, so that nothing is called otherwise: most are, once a page has many.
 */
export function tellingNamings(
  namings: Namings,
  chosen: ReadonlyMap<number, readonly number[]>,
): Namings {
  const isPassedOver = (url: number) => {
    const anchors = chosen.get(url)!
    return ({ anchor, isNew }: Naming) => isNew && !anchors.includes(anchor)
  }
  return new Map([...namings].filter(([url, links]) => !links.every(isPassedOver(url))))
}

/**
 * Calls pages what links call them now; gives those that are found by other words since. What that gains is due to the
 * pages whose links came or went with such words: one more link of known words brings nothing.
 */
export function renamePages(
  namings: Namings,
  anchors: ReadonlyMap<number, readonly string[]>,
  index: TextIndex,
  textOf: (anchor: number) => string,
  meter?: GainMeter,
): Set<number> {
  const urls = [...namings.keys()]
  const copies = new Map(urls.map((url) => [url, index.copyOf(url)!]))
  const renamed = index.replaceAnchors(new Map(urls.map((url) => [url, anchors.get(url)!])))
  if (meter)
    for (const [url, changed] of renamed) {
      const words = new Set(changed)
      const isTelling = ({ anchor }: Naming) =>
        index.termsOf(textOf(anchor), url).some((term) => words.has(term))
      const links = namings.get(url)!
      const telling = links.filter(isTelling)
      const namers = pagesOf(telling.length > 0 ? telling : links)
      meter.renamed(url, { before: copies.get(url)!, namers })
    }
  return new Set(renamed.keys())
}

function pagesOf(links: readonly Naming[]): number[] {
  return [...new Set(links.map(({ page }) => page))]
}
