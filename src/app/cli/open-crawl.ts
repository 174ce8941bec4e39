import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type CrawlState, crawlState } from '#crawl/cycle.ts'
import { PageIndexer } from '#crawl/index-pages.ts'
import { recoverCycle } from '#crawl/recover.ts'
import { QueryTracker } from '#crawl/track-queries.ts'
import { parseScope, type ScopeRules, type ScopeTest, scopeTest } from '#frontier/scope.ts'
import { UsageError } from '#parse/usage-error.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { IndexFiles } from '#repository/text-index/index-files.ts'
import { defaultAnalyser } from '#search/default-search.ts'
import { momentText } from '../web/age.ts'
import type { Output } from './output.ts'

/** A crawl directory, opened and brought back to where it was. */
export interface OpenCrawl {
  readonly store: CrawlStore
  readonly state: CrawlState
  readonly scope: ScopeTest
  /** Fetches that a killed run had finished and this one has just learnt from. */
  readonly recovered: number
  /** The policy of the last run; undefined before the first. */
  readonly lastPolicy: string | undefined
  /** The time to plan for, in seconds. */
  readonly now: number
  /** Whether that is the time of an archive, which stands still between crawls. */
  readonly isArchiveTime: boolean
}

export interface OpenOptions {
  /** Canonical URLs to begin with, added to those the directory knows. */
  readonly seeds: readonly string[]
  /** What is not said here is as the directory says, or as broad as can be. */
  readonly scope?: Partial<ScopeRules>
  readonly now: number
  /** Whether `now` is an archive's time; who only looks leaves it out, and gets the time of the last crawl of one. */
  readonly isArchiveTime?: boolean
  /** Whether what is fetched goes into the index; as the directory says if left out, else yes. */
  readonly index?: boolean
  /** Nothing will be fetched, so the index is needed only if there is something to take up. */
  readonly onlyLooking?: boolean
}

/** Opens a directory for crawling; it is made when it does not exist. */
export async function openCrawl(dir: string, options: OpenOptions): Promise<OpenCrawl> {
  const store = await CrawlStore.open(dir)
  try {
    const seeds = [...new Set([...(await storedSeeds(store)), ...options.seeds])]
    if (seeds.length === 0) throw nothingToCrawl(dir)
    const rulesBefore = await storedRules(store)
    const rules: ScopeRules = { ...ANYWHERE, ...rulesBefore, ...options.scope }
    const { frontier, pending, ...stored } = await store.load()
    // What it knows was chosen by the old rules: too much for narrower ones, too little for wider.
    if (rulesBefore && !isDeepStrictEqual(rules, rulesBefore) && stored.cycle + pending.length > 0)
      throw new UsageError(
        `${dir} was begun with ${describe(rulesBefore)}: go on with that, or choose another --dir`,
      )
    const state = crawlState(frontier, stored)
    const time = await timeOf(store, options)
    const scope = scopeTest(rules, seeds)
    // Seeds first, in the order they were first given: a killed first cycle has their numbers only.
    for (const seed of seeds) frontier.add(seed, 'seed', 0, time.now)
    await store.saveSetting('seeds', JSON.stringify(seeds))
    await store.saveSetting('scope', JSON.stringify(rules))
    const indexes = options.index ?? (await store.setting('index')) !== 'no'
    await store.saveSetting('index', indexes ? 'yes' : 'no')
    if (indexes && (pending.length > 0 || !options.onlyLooking)) attachIndex(dir, store, state)
    if (state.indexer) {
      const queries = await store.queries(time.now)
      if (queries.length > 0) state.tracker = new QueryTracker(queries, state.indexer.index)
    }
    await recoverCycle(state, pending, scope, store)
    // Rules that kept us from a seed, ours or those of its site, may be others in this run.
    for (const seed of seeds) frontier.askAgain(frontier.urls.find(seed)!, time.now)
    const lastPolicy = await store.setting('policy')
    return { store, state, scope, recovered: pending.length, lastPolicy, ...time }
  } catch (error) {
    store.close()
    throw error
  }
}

/** What time it is in this directory, which remembers the time of an archive that was crawled into it. */
async function timeOf(
  store: CrawlStore,
  { now, isArchiveTime }: OpenOptions,
): Promise<Pick<OpenCrawl, 'now' | 'isArchiveTime'>> {
  if (isArchiveTime !== undefined) {
    await store.saveSetting('archive time', isArchiveTime ? `${now}` : LIVE)
    return { now, isArchiveTime }
  }
  const stored = (await store.setting('archive time')) ?? LIVE
  return stored === LIVE
    ? { now, isArchiveTime: false }
    : { now: Number(stored), isArchiveTime: true }
}

const LIVE = 'live'

/** Tells people which time it is, where it is not theirs. */
export function noteArchiveTime(
  { now, isArchiveTime }: Pick<OpenCrawl, 'now' | 'isArchiveTime'>,
  output: Pick<Output, 'note'>,
): void {
  if (isArchiveTime)
    output.note(`an archive was crawled here, so the time is its own: ${momentText(now)}`)
}

function attachIndex(dir: string, store: CrawlStore, state: CrawlState): void {
  const files = new IndexFiles(dir, defaultAnalyser)
  store.keepIndex(files)
  state.indexer = new PageIndexer(files.index)
}

/** Whether somebody has crawled into this directory before. */
export function holdsCrawl(dir: string): boolean {
  return existsSync(join(dir, 'state.duckdb'))
}

/** The complaint about a crawl that has nowhere to begin. */
export function nothingToCrawl(dir: string): UsageError {
  return new UsageError(
    `nothing to crawl in ${dir} yet: name at least one seed URL, as in forager crawl https://example.org/`,
  )
}

/** Opens a directory that must hold a crawl already, as for `plan` and `status`. */
export async function openExistingCrawl(
  dir: string,
  now: number,
  withIndex = false,
): Promise<OpenCrawl> {
  if (!holdsCrawl(dir))
    throw new UsageError(
      `there is no crawl in ${dir}: start one with forager crawl https://example.org/ --dir ${dir}, or name another --dir`,
    )
  return openCrawl(dir, { seeds: [], now, onlyLooking: !withIndex })
}

const ANYWHERE: ScopeRules = { scope: 'anywhere' }

async function storedRules(store: CrawlStore): Promise<ScopeRules | undefined> {
  const text = await store.setting('scope')
  if (text === undefined) return undefined
  return text.startsWith('{') ? JSON.parse(text) : { scope: parseScope(text) } // as it was written at first
}

/** Rules as the flags that set them. */
function describe({ scope, include = [], exclude = [], maxDepth }: ScopeRules): string {
  const flags = [
    `--scope ${scope}`,
    ...include.map((pattern) => `--include '${pattern}'`),
    ...exclude.map((pattern) => `--exclude '${pattern}'`),
    ...(maxDepth === undefined ? [] : [`--max-depth ${maxDepth}`]),
  ]
  return flags.join(' ')
}

async function storedSeeds(store: CrawlStore): Promise<string[]> {
  return JSON.parse((await store.setting('seeds')) ?? '[]')
}
