import { SettingError } from '#errors/setting-error.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import {
  averageTopScore,
  fitImprovability,
  type Improvability,
  priorImprovability,
  type QueryProgress,
  TOP_RESULTS,
  type TopResult,
} from '#workload/improvability.ts'
import { findNeedyQueries, type NeedyQuery } from '#workload/needy.ts'
import type { Query } from '#workload/workload.ts'
import { folderForCopy } from '../open/folder-until-exit.ts'
import { loadIndex } from '../search/search-service.ts'
import { lookAtQueries } from './query-tables.ts'

/** The queries that a crawl cannot serve yet. */
export interface NeedyReport {
  readonly dir: string
  readonly synthetic: boolean
  /** Pages in the index. */
  readonly pages: number
  readonly improvability: { readonly form: string; readonly observations: number }
  readonly queries: readonly NeedyRow[]
}

export interface NeedyRow {
  readonly query: string
  readonly weight: number
  readonly neediness: number
  readonly improvability: number
  readonly averageScore: number
  readonly best: { readonly url: string; readonly title: string; readonly score: number } | null
  /** Pages that wait to be fetched and speak of it, by their URL and anchors. */
  readonly waiting: number
}

/** Which queries a crawl cannot serve yet, the neediest first, and what it is doing about it. */
export async function needyQueries(dir: string, limit: number): Promise<NeedyReport> {
  const now = Date.now() / 1000
  const { workload, progress } = await lookAtQueries(dir, async (queries) => ({
    workload: await queries.workload(now),
    progress: await queries.progress(),
  }))
  if (workload.queries.length === 0)
    throw new SettingError(
      'dir',
      `${dir} has neither queries nor pages: import a query log, or crawl first`,
    )
  const index = loadIndex(dir)
  const { improvability, needy } = neediness(workload.queries, progress, index)
  // Not opened for crawling: a directory may have queries and no seeds yet.
  const store = await CrawlStore.openToLook(dir, folderForCopy)
  try {
    const { frontier } = await store.load()
    return {
      ...{ dir, synthetic: workload.synthetic, pages: index.size },
      improvability: { form: improvability.form, observations: improvability.observations },
      queries: await needyRows(needy.slice(0, limit), store, frontier, (texts) =>
        countWaitingPages(frontier, texts, now),
      ),
    }
  } finally {
    store.close()
  }
}

/** A query with its need, and the pages that answer it now. */
export interface AnsweredQuery<Q extends Query = Query> extends NeedyQuery<Q> {
  readonly results: readonly TopResult[]
}

/** What queries may expect of further fetches, by how they are answered now; the neediest first. */
export function neediness<Q extends Query>(
  queries: readonly Q[],
  progress: readonly QueryProgress[],
  index: TextIndex,
): { readonly improvability: Improvability; readonly needy: readonly AnsweredQuery<Q>[] } {
  const statistics = index.statistics()
  const results = queries.map(({ text }) =>
    index.search(index.prepare(text, defaultScoring, statistics), TOP_RESULTS),
  )
  const averages = results.map((top) => averageTopScore(top.map(({ score }) => score)))
  const improvability = fitImprovability(progress) ?? priorImprovability(averages)
  const resultsOf = new Map(queries.map((query, i) => [query, results[i]]))
  const needy = findNeedyQueries(queries, averages, improvability).map((need) => ({
    ...need,
    results: resultsOf.get(need.query) ?? [],
  }))
  return { improvability, needy }
}

/** Some queries as they are shown, with the pages that wait for a fetch and speak of them. */
export async function needyRows(
  needy: readonly AnsweredQuery[],
  store: Pick<CrawlStore, 'reports'>,
  { urls }: Pick<Frontier, 'urls'>,
  waitingFor: (queries: readonly string[]) => ArrayLike<number>,
): Promise<NeedyRow[]> {
  const bestOf = needy.map(({ results }) => results.at(0))
  const titles = await store.reports.urls.titlesOf(
    bestOf.flatMap((best) => (best ? [best.url] : [])),
  )
  const waiting = waitingFor(needy.map(({ query }) => query.text))
  return needy.map(({ query, results: _, ...need }, i) => {
    const best = bestOf[i]
    return {
      query: query.text,
      weight: query.weight,
      neediness: need.neediness,
      improvability: need.improvability,
      averageScore: need.averageScore,
      best: best
        ? {
            url: urls.urlOf(best.url),
            title: titles.get(best.url) ?? '',
            score: best.score,
          }
        : null,
      waiting: waiting[i],
    }
  })
}

/**
 * For each query, how many pages wait to be fetched whose URL and anchors together hold all of its words.
 * One pass over the links and the URLs that wait.
 */
export function countWaitingPages(
  frontier: Frontier,
  queries: readonly string[],
  now: number,
): Uint32Array {
  const terms = queries.map((query) => defaultAnalyser.queryTerms(query))
  const queriesWith = new Map<string, number[]>()
  terms.forEach((words, query) => {
    for (const word of words) queriesWith.set(word, [...(queriesWith.get(word) ?? []), query])
  })
  const told = anchorTermsOf(frontier, queriesWith)
  const counts = new Uint32Array(queries.length)
  for (const url of frontier.unfetched(now)) {
    const ofUrl = defaultAnalyser.urlTerms(frontier.urls.urlOf(url))
    const known = new Set([...ofUrl, ...(told.get(url) ?? [])])
    const found = new Map<number, number>()
    for (const word of known)
      for (const query of queriesWith.get(word) ?? []) found.set(query, (found.get(query) ?? 0) + 1)
    for (const [query, words] of found) if (words === terms[query].length) counts[query]++
  }
  return counts
}

/** By URL, the words of queries that links to it say. */
function anchorTermsOf(
  frontier: Frontier,
  queriesWith: ReadonlyMap<string, unknown>,
): Map<number, Set<string>> {
  const wordsOf = new Map<number, readonly string[]>()
  const told = new Map<number, Set<string>>()
  for (let page = 0; page < frontier.size; page++) {
    const { targets, anchors } = frontier.links.rowOf(page)
    targets.forEach((target, i) => {
      if (frontier.lastVisitOf(target) > 0) return
      let words = wordsOf.get(anchors[i])
      if (words === undefined) {
        const said = defaultAnalyser.terms(frontier.links.anchors.at(anchors[i]))
        words = said.filter((word) => queriesWith.has(word))
        wordsOf.set(anchors[i], words)
      }
      if (words.length === 0) return
      const known = told.get(target)
      if (known) for (const word of words) known.add(word)
      else told.set(target, new Set(words))
    })
  }
  return told
}
