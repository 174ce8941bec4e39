import type { Random } from '#numeric/random.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import { splitQueries } from '../judging/query-split.ts'
import type { BudgetWorld } from './world.ts'

/**
 * What a crawler knows of the searchers it will be judged by. `repeated`: both are samples of the same
 * searches. `disjoint`: no query is asked before and after. `later`: the judges ask about pages that come
 * after the start, the crawler knows the other queries only.
 */
export const QUERY_KINDS = ['repeated', 'disjoint', 'later'] as const
export type QueryKind = (typeof QUERY_KINDS)[number]

export interface QueryShares {
  /** By query: how often the crawler saw it asked; 0 for those it does not know. */
  readonly seen: Float64Array
  /** By query: the share of the searches that it will be judged by. */
  readonly judging: Float64Array
}

/** Most of the answers of such a query are pages that come after the start. */
const LATER_SHARE = 0.5
/** Fewer queries about later pages than this say nothing. */
const LEAST_LATER = 10

/** Divides the queries of a world; undefined where too few are about later pages to be judged by. */
export function queryShares(
  world: BudgetWorld,
  kind: QueryKind,
  random: Random,
): QueryShares | undefined {
  const { texts, shares } = world.queries
  const queries = texts.map((text, query) => ({ id: String(query), text, weight: shares[query] }))
  if (kind === 'later') return laterShares(world, random)
  const split = splitQueries(queries, kind === 'repeated' ? 'log' : 'half', random)
  return { seen: split.trainingWeights, judging: asShares(split.testWeights) }
}

function laterShares(world: BudgetWorld, random: Random): QueryShares | undefined {
  const { texts, shares } = world.queries
  const isLater = aboutLaterPages(world)
  if (isLater.reduce((sum, later) => sum + later, 0) < LEAST_LATER) return undefined
  const weigh = (later: 0 | 1) =>
    texts.map((text, query) => ({
      id: String(query),
      text,
      weight: isLater[query] === later ? shares[query] : 0,
    }))
  const known = splitQueries(weigh(0), 'log', random.fork('known'))
  const coming = splitQueries(weigh(1), 'log', random.fork('later'))
  return { seen: known.trainingWeights, judging: asShares(coming.testWeights) }
}

/** 1 for each query whose answers in the last week, as far as searchers look, are mostly pages that came later. */
export function aboutLaterPages({ pages, answers, bornAt }: BudgetWorld): Uint8Array {
  const { slotOffsets, slotPages, offsets, slots, scores } = answers
  const live = new Float64Array(slotPages.length)
  for (let page = 0; page < pages.archivePages.length; page++) {
    const content = pages.contents[(page + 1) * pages.weeks - 1]
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
      if (bornAt[slotPages[slot]] > 0) later += worth
    }
    return all > 0 && later > LATER_SHARE * all ? 1 : 0
  })
}

function asShares(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
