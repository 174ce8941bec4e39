import type { EnginePage, SearchEngine } from '#search/engine/search-engine.ts'
import { gainInList } from '#search/gain/gain-in-list.ts'
import { CURVE_DEPTH } from '#search/gain/kept-curves.ts'
import { sharesOf, type TrackedQuery } from '#search/gain/top-answers.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { FetchEntry } from '../entries/fetch-entry.ts'
import type { LearntFetch } from '../entries/learnt-fetch.ts'
import { isNewContent, mayNotBeShown } from './index-pages.ts'

const VISIBILITIES = Float64Array.from({ length: 2 * CURVE_DEPTH + 2 }, (_, rank) =>
  powerVisibility(rank),
)

/**
 * Hands an engine what a cycle learnt, and measures what each fetch was worth by that engine's own scores, in the unit that
 * `gain-meter.ts` states: old and new scores of the pages on the results as they were before.
 */
export async function engineGains(
  engine: SearchEngine,
  tracked: readonly TrackedQuery[],
  fetches: readonly LearntFetch[],
): Promise<ReadonlyMap<number, number>> {
  const kept = new Map<number, EnginePage>()
  const forgotten = new Map<number, Pick<EnginePage, 'id' | 'url' | 'at'>>()
  for (const learnt of fetches) {
    const { id, url, at } = learnt.outcome
    if (isNewContent(learnt) && learnt.duplicateOf === undefined) {
      const { title, text } = learnt.outcome.page
      kept.set(id, { id, url, at, title, text })
      forgotten.delete(id)
    } else if (mayNotBeShown(learnt)) {
      forgotten.set(id, { id, url, at })
      kept.delete(id)
    }
  }
  const pages = [...kept.keys(), ...forgotten.keys()]
  const gains = new Map(pages.map((page) => [page, 0]))
  if (pages.length === 0) return gains
  const texts = tracked.map(({ text }) => text)
  const curves = await engine.curvesOf(texts, CURVE_DEPTH)
  const before = await engine.scoresOf(texts, pages)
  await engine.forget([...forgotten.values()])
  await engine.keep([...kept.values()])
  const after = await engine.scoresOf(texts, pages)
  const shares = sharesOf(tracked)
  for (const [query, curve] of curves.entries()) {
    const scores = Float64Array.from(curve, ({ score }) => score)
    for (const [i, page] of pages.entries()) {
      const [stored, truth] = [before[query][i], after[query][i]]
      if (stored === truth) continue
      const gain = gainInList(scores, VISIBILITIES, stored, truth)
      gains.set(page, gains.get(page)! + shares[query] * gain)
    }
  }
  return gains
}

/** The gains of a cycle that an engine judged, as its fetches kept them. */
export function keptGains(fetches: readonly Pick<FetchEntry, 'outcome' | 'realisedGain'>[]) {
  return new Map(fetches.map(({ outcome, realisedGain = 0 }) => [outcome.id, realisedGain]))
}
