import type { Judgment } from '#workload/workload.ts'

/** Gain of each grade, 0 bad … 4 perfect. */
export const GRADED_GAINS: readonly number[] = [0, 3, 7, 15, 31]
/** The alternative: a grade is its own gain. */
export const LINEAR_GAINS: readonly number[] = [0, 1, 2, 3, 4]

const CUTOFF = 10

export interface MaxNdcg {
  /** Over the queries counted, each with the same weight; undefined when there is none. */
  readonly mean: number | undefined
  readonly queries: number
  /** Queries left out because no judged page has a gain: nothing could answer them. */
  readonly dropped: number
}

/**
 * The best mean NDCG@10 that any ranking could reach on a set of pages: for each query the judged
 * pages held, best first, against all judged pages, held or not. A page judged twice for one query
 * counts once, with its better grade.
 *
 * @paper FetterlyCraswellVinay2009 §2.3 and §3 — queries without a gain are dropped and counted.
 */
export function maxNdcg(
  judgments: readonly Judgment[],
  isHeld: (url: string) => boolean,
  gains: readonly number[] = GRADED_GAINS,
): MaxNdcg {
  let sum = 0
  let queries = 0
  let dropped = 0
  for (const grades of gradesByQuery(judgments).values()) {
    const ideal: number[] = []
    const held: number[] = []
    for (const [url, grade] of grades) {
      ideal.push(gains[grade])
      if (isHeld(url)) held.push(gains[grade])
    }
    const best = discountedGain(ideal)
    if (best > 0) {
      queries++
      sum += discountedGain(held) / best
    } else dropped++
  }
  return { mean: queries > 0 ? sum / queries : undefined, queries, dropped }
}

/** DCG@10 of gains put in their best order; sorts in place. The base of the logarithm cancels out. */
function discountedGain(gains: number[]): number {
  gains.sort((a, b) => b - a)
  let sum = 0
  const end = Math.min(gains.length, CUTOFF)
  for (let rank = 1; rank <= end; rank++) sum += gains[rank - 1] / Math.log2(1 + rank)
  return sum
}

function gradesByQuery(judgments: readonly Judgment[]): Map<string, Map<string, number>> {
  const queries = new Map<string, Map<string, number>>()
  for (const { queryId, url, grade } of judgments) {
    const grades = queries.get(queryId) ?? new Map<string, number>()
    queries.set(queryId, grades)
    grades.set(url, Math.max(grade, grades.get(url) ?? 0))
  }
  return queries
}
