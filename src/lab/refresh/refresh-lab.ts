import type { Archive } from '#archive/format/archive.ts'
import { hash32 } from '#numeric/hash.ts'
import { urlPattern } from '#parse/url/url-pattern.ts'
import type { Addresses } from '#policy/facts/facts.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import type { Query } from '#workload/workload.ts'
import {
  type AnswerScores,
  answerScores,
  firstWeekPages,
  inLinkScoring,
  tfIdfScoring,
  tfIdfWeights,
} from './answer-scores.ts'
import { type ContentTerms, contentTerms, type TermQueries, termQueries } from './content-terms.ts'
import { HeldAnswers } from './held-answers.ts'
import { type WeeklyPages, weeklyPages } from './weekly-pages.ts'

export const REFRESH_SCORINGS = ['tfidf', 'inlinks'] as const
export type RefreshScoring = (typeof REFRESH_SCORINGS)[number]

/** What all scorings of one archive and workload share. */
export interface RefreshTexts {
  readonly archive: Archive
  readonly pages: WeeklyPages
  readonly queries: TermQueries
  readonly rows: ContentTerms
  /** By term: pages that have it in the first week. */
  readonly pagesWith: Uint32Array
  /** The address of each page. */
  readonly addresses: Addresses
  /** By page: the class of its URL, numbered from 0. */
  readonly classes: Uint32Array
  /** By page: distinct pages of the archive that link to it in the first week. */
  readonly inLinks: Uint32Array
}

/** An archive made ready: everything that any refreshing of it needs to be judged. */
export interface RefreshLab extends RefreshTexts {
  readonly answers: AnswerScores
  /** By week: what searchers would get if every copy were current. */
  readonly ideals: Float64Array
}

/** Reads the words of every version of every page that was live throughout. */
export function refreshTexts(archive: Archive, workload: readonly Query[]): RefreshTexts {
  const pages = weeklyPages(archive)
  const queries = termQueries(workload, defaultAnalyser)
  const rows = contentTerms(archive, pages, queries, defaultAnalyser)
  const pagesWith = firstWeekPages(pages, rows, queries.termCount)
  return {
    archive,
    pages,
    queries,
    rows,
    pagesWith,
    addresses: { of: (page) => archive.urlOf(pages.archivePages[page]) },
    classes: classesOf(archive, pages),
    inLinks: inLinksOf(archive, pages),
  }
}

/** Scores every version for every query. */
export function refreshLab(texts: RefreshTexts, scoring: RefreshScoring): RefreshLab {
  const { pages, rows, queries, pagesWith, inLinks } = texts
  const scored =
    scoring === 'tfidf'
      ? tfIdfScoring(tfIdfWeights(pagesWith, pages.archivePages.length))
      : inLinkScoring(inLinks)
  const answers = answerScores(pages, rows, queries, scored, pagesWith)
  return { ...texts, answers, ideals: idealsOf(pages, answers) }
}

function idealsOf(pages: WeeklyPages, answers: AnswerScores): Float64Array {
  const held = HeldAnswers.at(pages, answers, 0)
  return Float64Array.from({ length: pages.weeks }, (_, week) => {
    for (const page of pages.changedPages[week])
      held.change(page, pages.contents[page * pages.weeks + week])
    for (const page of pages.changedPages[week]) held.refresh(page)
    return held.earned
  })
}

function classesOf(archive: Archive, { archivePages }: WeeklyPages): Uint32Array {
  const numbers = new Map<number, number>()
  return archivePages.map((page) => {
    const key = hash32(urlPattern(archive.urlOf(page)))
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  })
}

function inLinksOf(archive: Archive, { archivePages }: WeeklyPages): Uint32Array {
  const linking = new Uint32Array(archive.pageCount)
  const lastSource = new Int32Array(archive.pageCount).fill(-1)
  for (const source of archive.livePages(0)) {
    archive.forEachLink(archive.versionAt(source, 0)!, (link) => {
      const target = archive.linkPage(link)
      if (target === undefined || target === source || lastSource[target] === source) return
      lastSource[target] = source
      linking[target]++
    })
  }
  return archivePages.map((page) => linking[page])
}
