import { GRADED_GAINS } from './max-ndcg.ts'

/** Grades of the judged pages of one query, by URL number; negative numbers stand for pages not held. */
type Grades = ReadonlyMap<number, number>

/** Discounted gain of the first `cutoff` results against the best possible order of all judged pages. */
export function ndcg(results: readonly number[], grades: Grades, cutoff = 10): number | undefined {
  const ideal = [...grades.values()].map((grade) => GRADED_GAINS[grade]).sort((a, b) => b - a)
  const best = discounted(ideal.slice(0, cutoff))
  if (best === 0) return undefined
  return (
    discounted(results.slice(0, cutoff).map((url) => GRADED_GAINS[grades.get(url) ?? 0])) / best
  )
}

/** Share of the pages with a gain that are among the first `cutoff` results. */
export function recall(
  results: readonly number[],
  grades: Grades,
  cutoff = 100,
): number | undefined {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([url]) => url)
  if (relevant.length === 0) return undefined
  const found = new Set(results.slice(0, cutoff))
  return relevant.filter((url) => found.has(url)).length / relevant.length
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, i) => sum + gain / Math.log2(2 + i), 0)
}
