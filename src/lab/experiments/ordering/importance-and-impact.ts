import { mixHash } from '#numeric/hash.ts'
import { topVisibility } from '#search/gain/visibility.ts'
import type { AnswerTruth } from '../../judging/answer-truth.ts'
import type { Importance } from './ordering-settings.ts'

/** How the importance that links give a page goes with what searchers see of it. */
export type ImportanceRow = ReturnType<typeof importanceAndImpact>[number]

const BUCKETS = 10
/** More points than these hide each other. */
const MOST_POINTS = 1_000

/**
 * Whether link-based importance tells what searchers will see.
 *
 * @paper PandeyOlston2008 §1.1
 */
export function importanceAndImpact(truth: AnswerTruth, importance: Importance, k: number) {
  const weights = Float64Array.from(truth.queries, ({ weight }) => weight)
  const byPage = truth.impacts(weights, topVisibility(k))
  const impacts = Float64Array.from(truth.pages, (page) => byPage[page])
  const measures = [
    ['pagerank', importance.pageRank],
    ['indegree', importance.inDegree],
  ] as const
  return measures.map(([name, values]) => {
    const scores = Float64Array.from(truth.pages, (page) => values[page])
    return {
      importance: name,
      /** Pearson's, over all pages; null if either is the same for all of them. */
      correlation: pearson(scores, impacts) ?? null,
      /** Pages of rising importance, equally many in each bucket. */
      buckets: bucketMeans(scores, impacts),
      points: sampledPoints(scores, impacts),
      ...misplaced(scores, impacts),
    }
  })
}

/** The linear correlation of paired values; undefined if either has no variance. */
export function pearson(xs: Float64Array, ys: Float64Array): number | undefined {
  const meanX = xs.reduce((sum, x) => sum + x, 0) / xs.length
  const meanY = ys.reduce((sum, y) => sum + y, 0) / ys.length
  let [covariance, varianceX, varianceY] = [0, 0, 0]
  for (let i = 0; i < xs.length; i++) {
    covariance += (xs[i] - meanX) * (ys[i] - meanY)
    varianceX += (xs[i] - meanX) ** 2
    varianceY += (ys[i] - meanY) ** 2
  }
  return varianceX > 0 && varianceY > 0 ? covariance / Math.sqrt(varianceX * varianceY) : undefined
}

function bucketMeans(scores: Float64Array, impacts: Float64Array) {
  const rising = risingOrder(scores)
  return Array.from({ length: BUCKETS }, (_, bucket) => {
    const from = Math.floor((bucket * rising.length) / BUCKETS)
    const members = rising.subarray(from, Math.floor(((bucket + 1) * rising.length) / BUCKETS))
    const meanOf = (values: Float64Array) =>
      members.reduce((sum, i) => sum + values[i], 0) / Math.max(1, members.length)
    return { pages: members.length, meanImportance: meanOf(scores), meanImpact: meanOf(impacts) }
  })
}

function sampledPoints(scores: Float64Array, impacts: Float64Array): [number, number][] {
  const limit = (MOST_POINTS / Math.max(MOST_POINTS, scores.length)) * 0x1_0000_0000
  return Array.from(scores, (score, i): [number, number] => [score, impacts[i]]).filter(
    (_, i) => mixHash(0xf162, i) < limit,
  )
}

function misplaced(scores: Float64Array, impacts: Float64Array) {
  const byImportance = risingOrder(scores)
  const byImpact = risingOrder(impacts)
  const size = scores.length
  const common = (a: Uint32Array, b: Uint32Array) => {
    const members = new Set(a)
    return b.filter((i) => members.has(i)).length
  }
  const top = (order: Uint32Array, share: number) => order.subarray(size - Math.round(share * size))
  const below = byImpact.subarray(0, size - Math.round(0.25 * size))
  return {
    /** Pages of the least important fifth that are in the top 1 % by impact. */
    unimportantButSeen: common(
      byImportance.subarray(0, Math.round(0.2 * size)),
      top(byImpact, 0.01),
    ),
    /** Pages of the top 1 % by importance that are not in the top 25 % by impact. */
    importantButUnseen: common(top(byImportance, 0.01), below),
  }
}

function risingOrder(values: Float64Array): Uint32Array {
  return Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b] || a - b)
}
