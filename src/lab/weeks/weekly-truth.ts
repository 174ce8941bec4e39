import type { Archive } from '#archive/format/archive.ts'
import { RecordedRobots } from '#archive/recorded-robots.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import type { Query } from '#workload/workload.ts'
import type { AnswerScores } from '../refresh/answer-scores.ts'
import { HeldAnswers } from '../refresh/held-answers.ts'
import { comingAndGoingPages, NOTHING, type WeeklyPages } from '../refresh/weekly-pages.ts'
import { versionScores } from './version-scores.ts'

/** A page that came after the first week; weeks are those of the archive. */
export interface Birth {
  readonly page: number
  readonly born: number
  /** The last week it is there. */
  readonly lastLive: number
}

/**
 * What searchers would get from an archive, week by week, if all that a crawler may fetch were held as it is.
 * Worked out once; every crawl of the archive is judged by it. Pages are numbered as in `WeeklyPages`.
 */
export class WeeklyTruth {
  readonly pages: WeeklyPages
  readonly answers: AnswerScores
  /** By week: what searchers get when every page is held as it is. */
  readonly ideals: Float64Array
  /** By week: pages that can be fetched. */
  readonly fetchable: Uint32Array
  readonly #numberOf: ReadonlyMap<string, number>
  readonly #urls: readonly (string | undefined)[]

  private constructor(
    pages: WeeklyPages,
    urls: readonly (string | undefined)[],
    answers: AnswerScores,
  ) {
    this.pages = pages
    this.answers = answers
    this.#urls = urls
    this.#numberOf = new Map(urls.flatMap((url, page) => (url === undefined ? [] : [[url, page]])))
    this.fetchable = new Uint32Array(pages.weeks).map(
      (_, week) => urls.filter((url, page) => url !== undefined && this.isLive(page, week)).length,
    )
    this.ideals = idealsOf(pages, answers)
  }

  /** `weights`: how often each of the queries is asked. */
  static of(
    archive: Archive,
    queries: readonly Query[],
    weights: Float64Array,
    scoring: Scoring = defaultScoring,
  ): WeeklyTruth {
    const pages = comingAndGoingPages(archive)
    const urls = fetchableUrls(archive, pages)
    const isIncluded = (page: number) => urls[page] !== undefined
    const answers = versionScores(archive, pages, queries, weights, scoring, isIncluded)
    return new WeeklyTruth(pages, urls, answers)
  }

  /** The same where searchers ask otherwise: weights of the queries that are asked at all here. */
  judgedBy(weights: Float64Array): WeeklyTruth {
    const answers = { ...this.answers, shares: sharesOf(weights) }
    return new WeeklyTruth(this.pages, this.#urls, answers)
  }

  /** The page of a canonical URL, if it ever is one that may be fetched. */
  pageOf(url: string): number | undefined {
    return this.#numberOf.get(url)
  }

  /** The canonical URL of a page that may be fetched. */
  urlOf(page: number): string | undefined {
    return this.#urls[page]
  }

  isLive(page: number, week: number): boolean {
    return this.contentAt(page, week) !== NOTHING
  }

  contentAt(page: number, week: number): number {
    return this.pages.contents[page * this.pages.weeks + week]
  }

  /** Pages that may be fetched and were not there in the first week. */
  births(): Birth[] {
    const { weeks } = this.pages
    const births: Birth[] = []
    for (let page = 0; page < this.#urls.length; page++) {
      if (this.#urls[page] === undefined || this.isLive(page, 0)) continue
      let born = 0
      while (!this.isLive(page, born)) born++
      let lastLive = weeks - 1
      while (!this.isLive(page, lastLive)) lastLive--
      births.push({ page, born, lastLive })
    }
    return births
  }
}

/** By page: its canonical URL, unless robots.txt forbids it or another page has the same. */
function fetchableUrls(archive: Archive, { archivePages }: WeeklyPages): (string | undefined)[] {
  const robots = new RecordedRobots(new RecordedWeb(archive, 0))
  const taken = new Set<string>()
  return Array.from(archivePages, (archivePage) => {
    const url = canonicalUrl(archive.urlOf(archivePage))
    if (url === undefined || taken.has(url) || !robots.verdictOn(url).allowed) return undefined
    taken.add(url)
    return url
  })
}

/** Less than this is nothing, and what rounding left of it. */
const LEAST_EARNED = 1e-12

/** Followed from week to week: to rank all answers anew for each takes many times as long. */
function idealsOf(pages: WeeklyPages, answers: AnswerScores): Float64Array {
  const held = HeldAnswers.at(pages, answers, 0)
  return Float64Array.from({ length: pages.weeks }, (_, week) => {
    for (const page of week === 0 ? [] : pages.changedPages[week]) {
      held.change(page, pages.contents[page * pages.weeks + week])
      held.refresh(page)
    }
    return held.earned > LEAST_EARNED ? held.earned : 0
  })
}

/** Weights as parts of 1. */
export function sharesOf(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / total)
}
