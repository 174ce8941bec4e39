import type { Frontier } from '#frontier/frontier.ts'
import type { TextIndex } from '#search/text-index.ts'
import type { Learnt } from './learn.ts'
import type { PageOutcome } from './outcome.ts'

/** So many wordings say all there is to say of a page; menus repeat theirs endlessly. */
const MOST_ANCHORS = 30
/** Anchors are taken in again when they have grown by this factor: popular pages gain some all the time. */
const WORTH_REINDEXING = 1.5

/**
 * Keeps the index in step with what a cycle learnt: pages that may be shown come in with what links
 * call them, others go; duplicates are not indexed twice.
 */
export class PageIndexer {
  readonly index: TextIndex
  /** By URL: how many anchor texts the index has of it; unknown after a restart. */
  readonly #anchorsIndexed = new Map<number, number>()

  constructor(index: TextIndex) {
    this.index = index
  }

  /** Takes in what was learnt; gives the pages that came in, for whoever keeps their words. */
  take(fetches: readonly Learnt[], frontier: Frontier): PageOutcome[] {
    const taken: PageOutcome[] = []
    for (const learnt of fetches) {
      if (isShown(learnt)) taken.push(learnt.outcome)
      else if (mayNotBeShown(learnt)) this.index.remove(learnt.outcome.id)
    }
    const isNew = new Set(taken.map(({ id }) => id))
    const linked = this.#linkedPages(fetches, frontier, isNew)
    const anchors = anchorTexts([...isNew, ...linked], frontier)
    for (const { id, url, page } of taken) {
      const named = anchors.get(id)!
      this.index.replace(id, { url, title: page.title, text: page.text, anchors: named })
      this.#anchorsIndexed.set(id, named.length)
    }
    for (const url of linked) this.#renewAnchors(url, anchors.get(url)!)
    while (this.index.compact());
    return taken
  }

  /** Pages of the index that the pages just fetched link to. */
  #linkedPages(
    fetches: readonly Learnt[],
    frontier: Frontier,
    isNew: ReadonlySet<number>,
  ): Set<number> {
    const linked = new Set<number>()
    for (const { outcome, changed } of fetches) {
      if (!changed) continue
      for (const target of frontier.links.rowOf(outcome.id).targets)
        if (!isNew.has(target) && this.index.has(target)) linked.add(target)
    }
    return linked
  }

  #renewAnchors(url: number, anchors: readonly string[]): void {
    const indexed = this.#anchorsIndexed.get(url)
    if (indexed !== undefined && anchors.length <= WORTH_REINDEXING * indexed) return
    this.index.replaceAnchors(url, anchors)
    this.#anchorsIndexed.set(url, anchors.length)
  }
}

function anchorTexts(urls: readonly number[], { links }: Frontier): Map<number, string[]> {
  const anchors = links.anchorsTo(urls, MOST_ANCHORS)
  const textsOf = (numbers: ReadonlySet<number>) => Array.from(numbers, (n) => links.anchors.at(n))
  return new Map(Array.from(anchors, ([url, numbers]) => [url, textsOf(numbers)]))
}

/** New content that may be shown, and that no other page shows. */
function isShown(learnt: Learnt): learnt is Learnt & { outcome: PageOutcome } {
  const { outcome, changed, duplicateOf, softError } = learnt
  if (outcome.kind !== 'page' || !changed) return false
  const { form, noindex } = outcome.page
  return form === 'page' && !noindex && !softError && duplicateOf === undefined
}

/** Changed into something that is not shown, or not there any more. */
function mayNotBeShown({ outcome, changed }: Learnt): boolean {
  if (outcome.kind === 'page') return changed
  return outcome.kind === 'gone' || outcome.kind === 'redirect' || outcome.kind === 'denied'
}
