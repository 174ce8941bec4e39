import { SettingError } from '#errors/setting-error.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import type { Analyser } from '#search/text/analysis.ts'
import {
  averageTopScore,
  fitImprovability,
  priorImprovability,
  TOP_RESULTS,
} from '#workload/improvability.ts'
import { findNeedyQueries } from '#workload/needy.ts'
import { folderToLook } from '../open/folder-until-exit.ts'
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
  const statistics = index.statistics()
  const results = workload.queries.map(({ text }) =>
    index.search(index.prepare(text, defaultScoring, statistics), TOP_RESULTS),
  )
  const averages = results.map((top) => averageTopScore(top.map(({ score }) => score)))
  const improvability = fitImprovability(progress) ?? priorImprovability(averages)
  const needy = findNeedyQueries(workload.queries, averages, improvability).slice(0, limit)
  const resultsOf = new Map(workload.queries.map(({ id }, i) => [id, results[i]]))

  // Not opened for crawling: a directory may have queries and no seeds yet.
  const store = await CrawlStore.openToLook(dir, folderToLook)
  try {
    const { frontier } = await store.load()
    const bestOf = needy.map(({ query }) => resultsOf.get(query.id)?.[0])
    const titles = await store.reports.urls.titlesOf(
      bestOf.flatMap((best) => (best ? [best.url] : [])),
    )
    const texts = needy.map(({ query }) => query.text)
    const waiting = countWaitingPages(frontier, defaultAnalyser, texts, now)
    return {
      dir,
      synthetic: workload.synthetic,
      pages: index.size,
      improvability: { form: improvability.form, observations: improvability.observations },
      queries: needy.map(({ query, ...need }, i) => {
        const best = bestOf[i]
        return {
          query: query.text,
          weight: query.weight,
          neediness: need.neediness,
          improvability: need.improvability,
          averageScore: need.averageScore,
          best: best
            ? {
                url: frontier.urls.urlOf(best.url),
                title: titles.get(best.url) ?? '',
                score: best.score,
              }
            : null,
          waiting: waiting[i],
        }
      }),
    }
  } finally {
    store.close()
  }
}

/**
 * For each query, how many pages wait to be fetched whose URL and anchors together hold all of its words.
 * One pass over the links and the URLs that wait.
 */
function countWaitingPages(
  frontier: Frontier,
  analyser: Analyser,
  queries: readonly string[],
  now: number,
): Uint32Array {
  const terms = queries.map((query) => analyser.queryTerms(query))
  const queriesWith = new Map<string, number[]>()
  terms.forEach((words, query) => {
    for (const word of words) queriesWith.set(word, [...(queriesWith.get(word) ?? []), query])
  })
  const told = anchorTermsOf(frontier, analyser, queriesWith)
  const counts = new Uint32Array(queries.length)
  for (const url of frontier.unfetched(now)) {
    const ofUrl = analyser.urlTerms(frontier.urls.urlOf(url))
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
  analyser: Analyser,
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
        const said = analyser.terms(frontier.links.anchors.at(anchors[i]))
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
