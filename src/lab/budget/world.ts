import type { Archive } from '#archive/format/archive.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import type { Query } from '#workload/workload.ts'
import {
  type AnswerScores,
  answerScores,
  tfIdfScoring,
  tfIdfWeights,
} from '../refresh/answer-scores.ts'
import {
  type ContentTerms,
  contentTerms,
  type TermQueries,
  termQueries,
} from '../refresh/content-terms.ts'
import {
  comingAndGoingPages,
  liveVersion,
  NOTHING,
  type WeeklyPages,
} from '../refresh/weekly-pages.ts'
import { queryIdeals } from './query-ideals.ts'
import { type WorldLinks, worldLinks } from './world-links.ts'

/** A recorded web whose pages come, change and go week by week, and what all of it is worth to searchers. */
export interface BudgetWorld {
  readonly archive: Archive
  readonly pages: WeeklyPages
  readonly links: WorldLinks
  readonly queries: TermQueries
  /** Of all contents for all queries; its shares are those of the whole workload. */
  readonly answers: AnswerScores
  /** By query: no page can score more. */
  readonly bounds: Float64Array
  /** By week and query, see `queryIdeals`. */
  readonly ideals: Float64Array
  /** By week: pages that are there. */
  readonly liveCounts: Uint32Array
  /** By page: the first week it is there. */
  readonly bornAt: Uint32Array
  /** Where a crawl begins. */
  readonly seeds: readonly number[]
  /** What a fetch of a page would bring in a week: a version of the archive; undefined if there is no page. */
  versionAt(page: number, week: number): number | undefined
}

/** Reads everything that any crawl of an archive needs to be judged. */
export function budgetWorld(archive: Archive, workload: readonly Query[]): BudgetWorld {
  const pages = comingAndGoingPages(archive)
  const queries = termQueries(workload, defaultAnalyser)
  const rows = contentTerms(archive, pages, queries, defaultAnalyser)
  const pagesWith = pagesEverWith(pages, rows, queries.termCount)
  const weights = tfIdfWeights(pagesWith, pages.archivePages.length)
  const answers = answerScores(pages, rows, queries, tfIdfScoring(weights), pagesWith)
  const pageOf = new Int32Array(archive.pageCount).fill(-1)
  pages.archivePages.forEach((archivePage, page) => {
    pageOf[archivePage] = page
  })
  return {
    archive,
    pages,
    links: worldLinks(archive, pageOf),
    queries,
    answers,
    bounds: Float64Array.from(queries.terms, (terms) => mostOf(terms, weights)),
    ideals: queryIdeals(pages, answers),
    ...livesOf(pages),
    seeds: archive.site.start.flatMap((url) => {
      const page = archive.pageOfUrl(url)
      return page === undefined || pageOf[page] < 0 ? [] : pageOf[page]
    }),
    versionAt: (page, week) => liveVersion(archive, pages.archivePages[page], week),
  }
}

/** By term: pages that have it at some time. The words of pages to come count from the beginning. */
function pagesEverWith(pages: WeeklyPages, rows: ContentTerms, terms: number): Uint32Array {
  const pagesWith = new Uint32Array(terms)
  const lastPage = new Int32Array(terms).fill(-1)
  for (let place = 0; place < pages.contents.length; place++) {
    const content = pages.contents[place]
    if (place % pages.weeks > 0 && pages.contents[place - 1] === content) continue
    const page = Math.floor(place / pages.weeks)
    for (let at = rows.offsets[content]; at < rows.offsets[content + 1]; at++) {
      const term = rows.terms[at]
      if (lastPage[term] !== page) pagesWith[term]++
      lastPage[term] = page
    }
  }
  return pagesWith
}

/** Σ w·√(share of the words) is largest where words stand in proportion to w²: then it is √Σ w². */
function mostOf(terms: Uint32Array, weights: Float64Array): number {
  return Math.sqrt(terms.reduce((sum, term) => sum + weights[term] ** 2, 0))
}

function livesOf({ weeks, contents, archivePages }: WeeklyPages) {
  const liveCounts = new Uint32Array(weeks)
  const bornAt = new Uint32Array(archivePages.length).fill(weeks)
  for (let place = 0; place < contents.length; place++) {
    if (contents[place] === NOTHING) continue
    const week = place % weeks
    const page = (place - week) / weeks
    liveCounts[week]++
    if (week < bornAt[page]) bornAt[page] = week
  }
  return { liveCounts, bornAt }
}
