import type { Random } from '#numeric/random.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { Query } from '#workload/workload.ts'
import { type QuerySplit, splitQueries } from '../judging/query-split.ts'
import type { WeeklyTruth } from '../weeks/weekly-truth.ts'

/**
 * What a crawler knows of the searchers it will be judged by. `repeated`: both are samples of the same
 * searches. `disjoint`: no query is asked before and after. `later`: the judges ask about pages that come
 * after the start, the crawler knows the other queries only.
 */
export const QUERY_KINDS = ['repeated', 'disjoint', 'later'] as const
export type QueryKind = (typeof QUERY_KINDS)[number]

/** Most of the answers of such a query are pages that come after the start. */
const LATER_SHARE = 0.5
/** Fewer queries about later pages than this say nothing. */
const LEAST_LATER = 10

/** Divides the queries of a web; undefined where too few are about later pages to be judged by. */
export function splitByKind(
  queries: readonly Query[],
  truth: WeeklyTruth,
  kind: QueryKind,
  random: Random,
): QuerySplit | undefined {
  if (kind !== 'later') return splitQueries(queries, kind === 'repeated' ? 'log' : 'half', random)
  const isLater = aboutLaterPages(truth)
  if (isLater.reduce((sum, later) => sum + later, 0) < LEAST_LATER) return undefined
  const only = (later: 0 | 1) =>
    queries.map((query, i) => (isLater[i] === later ? query : { ...query, weight: 0 }))
  const known = splitQueries(only(0), 'log', random.fork('known'))
  const { testWeights } = splitQueries(only(1), 'log', random.fork('later'))
  return { ...known, testWeights }
}

/** 1 for each query whose answers in the last week, as far as searchers look, are mostly pages that came later. */
export function aboutLaterPages(truth: WeeklyTruth): Uint8Array {
  const { pages, answers } = truth
  const { slotOffsets, slotPages, offsets, slots, scores } = answers
  const live = new Float64Array(slotPages.length)
  for (let page = 0; page < pages.archivePages.length; page++) {
    const content = truth.contentAt(page, pages.weeks - 1)
    for (let at = offsets[content]; at < offsets[content + 1]; at++) live[slots[at]] = scores[at]
  }
  return Uint8Array.from({ length: slotOffsets.length - 1 }, (_, query) => {
    const best = Array.from(
      { length: slotOffsets[query + 1] - slotOffsets[query] },
      (_, i) => slotOffsets[query] + i,
    )
      .filter((slot) => live[slot] > 0)
      .sort((a, b) => live[b] - live[a] || a - b)
    let [all, later] = [0, 0]
    for (const [place, slot] of best.entries()) {
      const worth = powerVisibility(place + 1) * live[slot]
      all += worth
      if (!truth.isLive(slotPages[slot], 0)) later += worth
    }
    return all > 0 && later > LATER_SHARE * all ? 1 : 0
  })
}
