import type { Archive } from '#archive/format/archive.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { Workload } from '#workload/workload.ts'
import { ndcg, recall } from '../metrics/ndcg.ts'

/** How well the judged queries of one source are answered. */
export interface SearchRow {
  /** What stands before the colon of the queries' ids; queries without one are of one source. */
  readonly source: string
  readonly queries: number
  readonly ndcg10: number
  readonly recall100: number
}

/** Asks every judged query, and compares the answers with the judgments; rows by source of queries. */
export function runSearch(
  archive: Archive,
  index: TextIndex,
  workload: Workload,
  scoring: Scoring,
): SearchRow[] {
  const grades = gradesByQuery(archive, workload)
  const sums = new Map<string, { queries: number; ndcg: number; recall: number }>()
  for (const { id, text } of workload.queries) {
    const judged = grades.get(id)
    if (!judged) continue
    const results = index.search(index.prepare(text, scoring), 100).map(({ url }) => url)
    const gain = ndcg(results, judged)
    if (gain === undefined) continue
    const source = id.includes(':') ? id.split(':', 1)[0] : 'queries'
    const sum = sums.get(source) ?? { queries: 0, ndcg: 0, recall: 0 }
    sums.set(source, sum)
    sum.queries++
    sum.ndcg += gain
    sum.recall += recall(results, judged) ?? 0
  }
  return Array.from(sums, ([source, { queries, ndcg, recall }]) => ({
    source,
    queries,
    ndcg10: ndcg / queries,
    recall100: recall / queries,
  }))
}

/** Judged pages that the archive lacks get numbers below 0: they count, and nobody can find them. */
function gradesByQuery(
  archive: Archive,
  { judgments }: Workload,
): Map<string, Map<number, number>> {
  const pages = new Map<string, number>()
  for (let page = 0; page < archive.pageCount; page++)
    pages.set(canonicalUrl(archive.urlOf(page)) ?? archive.urlOf(page), page)
  const grades = new Map<string, Map<number, number>>()
  for (const { queryId, url, grade } of judgments) {
    const judged = grades.get(queryId) ?? new Map<number, number>()
    grades.set(queryId, judged)
    const page = pages.get(canonicalUrl(url) ?? url) ?? -1 - judged.size
    judged.set(page, Math.max(grade, judged.get(page) ?? 0))
  }
  return grades
}
