import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { DamagedFileError } from '#repository/damage.ts'
import { stampOf } from '#repository/file-stamp.ts'
import { IndexStore } from '#repository/text-index/index-store.ts'
import { PageStore } from '#repository/text-index/page-store.ts'
import type { Result } from '#search/full-text/best-results.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import { type AskedQuery, readQuery } from '#search/text/asked-query.ts'
import { answersIn, fits, needsLook } from './answer-query.ts'

/** One page that answers a query. */
export interface SearchHit {
  readonly url: string
  readonly title: string
  /** All the page says, for an excerpt; empty if it was not kept. */
  readonly text: string
  readonly score: number
  /** When the copy was fetched; seconds since 1970. */
  readonly fetchedAt: number
  /** The language it speaks, as a tag, if it is known. */
  readonly language?: string
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[]
  /** How many pages answer, counted up to a limit. */
  readonly total: number
  readonly totalIsExact: boolean
  readonly ms: number
}

/** Answers queries from an index. */
export interface SearchService {
  search(text: string, offset: number, limit: number): SearchAnswer
  /** Pages in the index. */
  readonly pages: number
}

/** Nobody pages further, and counting all answers to a common word is not worth its time. */
const MOST_COUNTED = 1_000
/** Where pages must be looked at, so many answers beyond those shown are counted. */
const LOOKED_AHEAD = 50

/**
 * The index of a crawl as it was last saved; nothing is written. A crawl may drop files that its last
 * manifest named while we read them; the new one names others.
 */
export function loadIndex(dir: string, tries = 3): TextIndex {
  try {
    return new IndexStore(dir).load(defaultAnalyser)
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException }
    if (tries <= 1 || cause?.code !== 'ENOENT') throw error
    return loadIndex(dir, tries - 1)
  }
}

/**
 * A service over a crawl's index files; it follows a crawl that goes on, and needs no lock. If what comes is damaged, it
 * says so and goes on with what it had. One that may be empty waits for an index that is still to come.
 */
export function openSearchService(
  dir: string,
  onDamage: (error: DamagedFileError) => void = () => {},
  mayBeEmpty = false,
): SearchService & { close(): void } {
  const manifest = join(dir, 'index', 'manifest.json')
  if (!existsSync(manifest) && !mayBeEmpty) {
    loadIndex(dir) // says so if there was one
    throw new SettingError('dir', `there is no index in ${dir}: crawl something first`, {
      remedy: { kind: 'begin a crawl', dir },
    })
  }
  let index: TextIndex | undefined
  let seen = ''
  let isOpen = false
  let pages: PageStore | undefined
  const followPages = () => {
    if (pages?.isReplaced) {
      pages.close()
      pages = undefined
    }
    if (pages) pages.refresh()
    else pages = PageStore.openToRead(dir)
  }
  const follow = () => {
    const now = stampOf(manifest)
    if (now === seen) return
    seen = now
    try {
      index = loadIndex(dir)
      followPages()
    } catch (error) {
      if (!isOpen || !(error instanceof DamagedFileError)) throw error
      onDamage(error)
    }
  }
  /** The first of these that a look at the page confirms. */
  const looked = (found: readonly Result[], asked: AskedQuery, most: number) => {
    const confirmed: Result[] = []
    for (const result of found) {
      if (confirmed.length >= most) break
      const page = pages?.get(result.url)
      if (page && fits(page, asked)) confirmed.push(result)
    }
    return confirmed
  }
  follow()
  isOpen = true
  return {
    get pages() {
      return index?.size ?? 0
    },
    search: (text, offset, limit) => {
      follow()
      if (!index) return { hits: [], total: 0, totalIsExact: true, ms: 0 }
      const startedAt = performance.now()
      const wanted = Math.max(MOST_COUNTED, offset + limit)
      const asked = readQuery(text)
      const found = answersIn(index, asked, wanted)
      const mostLooked = offset + limit + LOOKED_AHEAD
      const results = needsLook(index, asked) ? looked(found, asked, mostLooked) : found
      const hits = results.slice(offset, offset + limit).map(({ url, score }) => {
        const page = pages?.get(url)
        const { title = '', text = '', fetchedAt = 0, language } = page ?? {}
        return { url: page?.url ?? '', title, text, score, fetchedAt, language }
      })
      const ms = performance.now() - startedAt
      const total = results.length
      const isAll = needsLook(index, asked) ? total < mostLooked : true
      return { hits, total, totalIsExact: isAll && found.length < wanted, ms }
    },
    close: () => pages?.close(),
  }
}
