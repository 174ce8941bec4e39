import type { Workload } from '#workload/workload.ts'
import { meanIntervals } from '../metrics/bootstrap.ts'
import { prepareClicks } from '../metrics/click-utility.ts'
import { LINEAR_GAINS, prepareJudgments } from '../metrics/max-ndcg.ts'
import { canonicalWorkload } from './canonical-workload.ts'

/** What one set of pages is worth to the workload. Null where the workload cannot tell. */
interface CorpusWorth {
  readonly maxNdcg: number | null
  /** 95 % confidence over queries. */
  readonly ciLow: number | null
  readonly ciHigh: number | null
  /** With grades as gains. */
  readonly linearMaxNdcg: number | null
  readonly clicks: number | null
}

/** Tells what sets of pages could give the searchers of a workload; pages are numbers. */
export interface CorpusJudge {
  /** What each of several sets is worth; asked together, they share the draws of the intervals. */
  worthsOf(sets: readonly ((url: number) => boolean)[]): CorpusWorth[]
  maxNdcgOf(isHeld: (url: number) => boolean): number | null
  /** Judged queries that count, and those dropped because nothing judged could answer them. */
  readonly queries: number
  readonly dropped: number
}

/** A judge for sets of URL numbers; `numberOf` takes canonical URLs. */
export function corpusJudge(
  recorded: Workload,
  numberOf: (url: string) => number | undefined,
  seed: number,
): CorpusJudge {
  const { judgments, clicks } = canonicalWorkload(recorded)
  const graded = prepareJudgments(judgments, numberOf)
  const linear = prepareJudgments(judgments, numberOf, { gains: LINEAR_GAINS })
  const clicked = clicks.length > 0 ? prepareClicks(clicks, numberOf) : undefined
  return {
    queries: graded.queryIds.length,
    dropped: graded.dropped,
    maxNdcgOf: (isHeld) => graded.maxNdcgOf(isHeld).mean ?? null,
    worthsOf: (sets) => {
      const qualities = sets.map((isHeld) => graded.maxNdcgOf(isHeld))
      const intervals = meanIntervals(
        qualities.map(({ perQuery }) => perQuery),
        { seed },
      )
      return sets.map((isHeld, i) => ({
        maxNdcg: qualities[i].mean ?? null,
        ciLow: intervals[i]?.low ?? null,
        ciHigh: intervals[i]?.high ?? null,
        linearMaxNdcg: linear.maxNdcgOf(isHeld).mean ?? null,
        clicks: clicked?.utilityOf(isHeld) ?? null,
      }))
    },
  }
}

/** A test for membership of a list of URL numbers, below `urls`. */
export function membership(list: Uint32Array, urls: number): (url: number) => boolean {
  const isIn = new Uint8Array(urls)
  for (const url of list) isIn[url] = 1
  return (url) => isIn[url] === 1
}
