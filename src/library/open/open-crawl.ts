import { isDeepStrictEqual } from 'node:util'
import { type CrawlState, crawlState } from '#crawl/plan-cycle.ts'
import type { JournalEntry } from '#crawl/ports.ts'
import { recoverCycle } from '#crawl/recover.ts'
import { SettingError } from '#errors/setting-error.ts'
import type { Instruction } from '#frontier/instructions.ts'
import type { ScopeRules } from '#frontier/scope.ts'
import { apply } from '#learn/apply.ts'
import type { PlanEntry } from '#learn/entries/entry.ts'
import { PageIndexer } from '#learn/text-index/index-pages.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import {
  ANYWHERE,
  storedInstructions,
  storedRules,
  storedSeeds,
} from '#repository/log/stored-rules.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { journalFiles } from '#repository/state/journal.ts'
import { IndexFiles } from '#repository/text-index/index-files.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { loadIndex } from '../search/search-service.ts'
import { keepPendingCursor } from './fleet-cursor.ts'
import { folderForCopy } from './folder-until-exit.ts'
import { keepLinksLeftAlone } from './links-left-alone.ts'
import { takeInInstructions } from './take-in-instructions.ts'

/** A crawl directory, opened and brought back to where it was. */
export interface OpenCrawl {
  readonly store: CrawlStore
  readonly state: CrawlState
  /** Where it began, and where it may go. */
  readonly seeds: readonly string[]
  readonly rules: ScopeRules
  /** What operators told it since. */
  readonly instructions: readonly Instruction[]
  /** Fetches of earlier runs that the tables lacked: they were taken up from journal and log. */
  readonly recovered: number
  /** Fetches that an earlier run noted at times still to come: its clock was wrong. */
  readonly moved: number
  /** The policy of the last run; undefined before the first. */
  readonly lastPolicy: string | undefined
  /** The time to plan for, in seconds. */
  readonly now: number
  /** Whether that is the time of an archive, which stands still between crawls. */
  readonly isArchiveTime: boolean
}

/** What the tables of a crawl say of it before anything is read into memory. */
export type CrawlTables = Pick<
  OpenCrawl,
  'store' | 'seeds' | 'rules' | 'instructions' | 'lastPolicy' | 'now' | 'isArchiveTime'
>

interface OpenOptions {
  /** Canonical URLs to begin with, added to those the directory knows. */
  readonly seeds: readonly string[]
  /** What is not said here is as the directory says, or as broad as can be. */
  readonly scope?: Partial<ScopeRules>
  readonly now: number
  /** Whether `now` is an archive's time; as the directory says if left out. */
  readonly isArchiveTime?: boolean
  /** Whether what is fetched goes into the index; as the directory says if left out, else yes. */
  readonly index?: boolean
}

/** Opens a directory for crawling; it is made when it does not exist. */
export async function openCrawl(dir: string, options: OpenOptions): Promise<OpenCrawl> {
  const store = await CrawlStore.open(dir)
  try {
    const moved = options.isArchiveTime === false ? await store.mendFutureTimes(options.now) : 0
    await takeInInstructions(dir, store, (await timeOf(store, options)).now)
    const begun = await begin(dir, store, options)
    await store.saveSettings({
      seeds: JSON.stringify(begun.seeds),
      scope: JSON.stringify(begun.rules),
      index: begun.indexes ? 'yes' : 'no',
      ...(options.isArchiveTime !== undefined && {
        'archive time': options.isArchiveTime ? `${options.now}` : LIVE,
      }),
    })
    const files = begun.indexes ? new IndexFiles(dir, defaultAnalyser) : undefined
    if (files) {
      store.keepIndex(files)
      begun.state.indexer = new PageIndexer(files.index)
    }
    const opened = await takeUp(store, begun, true)
    const removed = begun.state.indexer?.takeForgotten() ?? []
    if (removed.length > 0) files?.keep({ removed, taken: [], renewed: [] })
    return { ...opened, moved }
  } catch (error) {
    store.discard()
    throw error
  }
}

/**
 * Opens a directory that must hold a crawl already, as for `plan` and `status`, and writes nothing there.
 * The time is that of the archive if one was crawled last. A copy (`asCopy`) can be kept open without keeping others from writing.
 */
export async function openExistingCrawl(
  dir: string,
  now: number,
  withIndex = false,
  asCopy = false,
): Promise<OpenCrawl> {
  if (!holdsCrawl(dir)) throw noCrawlIn(dir)
  // What is taken up goes through the index, to measure what it gained. It is read before the tables: those of
  // a crawl that runs would else not know its latest pages.
  const needsIndex = withIndex || journalFiles(dir).length > 0
  const index = needsIndex ? loadIndex(dir) : undefined
  const store = await CrawlStore.openToLook(dir, folderForCopy, { asCopy })
  try {
    const begun = await begin(dir, store, { seeds: [], now })
    if (begun.indexes && index) begun.state.indexer = new PageIndexer(index)
    return await takeUp(store, begun, false)
  } catch (error) {
    store.close()
    throw error
  }
}

/**
 * Opens a copy of the tables of a directory that must hold a crawl already, and reads nothing else: that takes no longer
 * with millions of URLs. What a cycle under way has in its journal is not in them.
 */
export async function openTablesToLook(dir: string, now: number): Promise<CrawlTables> {
  if (!holdsCrawl(dir)) throw noCrawlIn(dir)
  const store = await CrawlStore.openToLook(dir, folderForCopy, { asCopy: true })
  try {
    const settings = await store.settings()
    const seeds = storedSeeds(settings)
    if (seeds.length === 0) throw nothingToCrawl(dir)
    return {
      ...{ store, seeds, rules: storedRules(settings) ?? ANYWHERE },
      instructions: storedInstructions(settings),
      lastPolicy: settings.get('policy'),
      ...(await timeOf(store, { seeds, now })),
    }
  } catch (error) {
    store.close()
    throw error
  }
}

/** A directory read back, but for what a killed run had not learnt yet. */
interface BegunCrawl {
  readonly state: CrawlState
  readonly seeds: readonly string[]
  readonly rules: ScopeRules
  readonly instructions: readonly Instruction[]
  readonly indexes: boolean
  readonly pending: readonly JournalEntry[]
  readonly plan?: PlanEntry
  readonly takenUp: number
  readonly time: Pick<OpenCrawl, 'now' | 'isArchiveTime'>
}

async function begin(dir: string, store: CrawlStore, options: OpenOptions): Promise<BegunCrawl> {
  const settings = await store.settings()
  const seeds = [...new Set([...storedSeeds(settings), ...options.seeds])]
  if (seeds.length === 0) throw nothingToCrawl(dir)
  const rulesBefore = storedRules(settings)
  const rules: ScopeRules = { ...ANYWHERE, ...rulesBefore, ...options.scope }
  const { frontier, pending: found, plan, takenUp, ...stored } = await store.load()
  // What it knows was chosen by the old rules: too much for narrower ones, too little for wider.
  if (rulesBefore && !isDeepStrictEqual(rules, rulesBefore) && stored.cycle + found.length > 0)
    throw new SettingError(
      'dir',
      `${dir} was begun with ${describe(rulesBefore)}: go on with that, or choose another {dir}`,
    )
  const time = await timeOf(store, options)
  const pending = time.isArchiveTime ? found : found.map((entry) => notLater(entry, time.now))
  const indexes = options.index ?? settings.get('index') !== 'no'
  const state = crawlState(frontier, stored)
  apply({ kind: 'rules', scope: rules, seeds }, state)
  await keepLinksLeftAlone(store, state.scope)
  const instructions = storedInstructions(settings)
  return { state, seeds, rules, instructions, indexes, pending, plan, takenUp, time }
}

/** What a killed run noted at a time that has not come yet counts as of now. */
function notLater(entry: JournalEntry, now: number): JournalEntry {
  const { outcome } = entry
  return { ...entry, outcome: { ...outcome, at: Math.min(outcome.at, now) } }
}

/** Begins a run, and first learns what a killed one had fetched. The log has that only if this is to be a crawl. */
async function takeUp(
  store: CrawlStore,
  { state, seeds, rules, instructions, pending, plan, takenUp, time }: BegunCrawl,
  isLogged: boolean,
): Promise<OpenCrawl> {
  apply({ kind: 'instructions', all: instructions }, state)
  const queries = state.indexer ? await store.queries(time.now) : []
  const beginRun = async () => {
    apply({ kind: 'run', at: time.now, queries }, state)
    if (isLogged) await store.beginRun(time.now, state.frontier)
  }
  await beginRun()
  if (pending.length > 0) {
    if (isLogged) await keepPendingCursor(store, pending)
    await recoverCycle(state, { pending, plan }, store)
    // What was learnt just now must not keep seeds from being asked for again.
    await beginRun()
  }
  const lastPolicy = await store.setting('policy')
  const recovered = pending.length + takenUp
  return { store, state, seeds, rules, instructions, recovered, moved: 0, lastPolicy, ...time }
}

/** What time it is in this directory, which remembers the time of an archive that was crawled into it. */
async function timeOf(
  store: CrawlStore,
  { now, isArchiveTime }: OpenOptions,
): Promise<Pick<OpenCrawl, 'now' | 'isArchiveTime'>> {
  if (isArchiveTime !== undefined) return { now, isArchiveTime }
  const stored = (await store.setting('archive time')) ?? LIVE
  return stored === LIVE
    ? { now, isArchiveTime: false }
    : { now: Number(stored), isArchiveTime: true }
}

const LIVE = 'live'

/** The complaint about a directory that should hold a crawl. */
export function noCrawlIn(dir: string): SettingError {
  return new SettingError('dir', `there is no crawl in ${dir}: name another {dir}, or begin one`, {
    remedy: { kind: 'begin a crawl', dir },
  })
}

/** The complaint about a crawl that has nowhere to begin. */
export function nothingToCrawl(dir: string): SettingError {
  return new SettingError('dir', `nothing to crawl in ${dir} yet: name at least one seed URL`, {
    remedy: { kind: 'begin a crawl', dir },
  })
}

/** Rules as the settings that say so. */
function describe({ scope, include = [], exclude = [], maxDepth, sites }: ScopeRules): string {
  const said = [
    `{scope} ${scope}`,
    ...include.map((pattern) => `{include} '${pattern}'`),
    ...exclude.map((pattern) => `{exclude} '${pattern}'`),
    ...(maxDepth === undefined ? [] : [`{maxDepth} ${maxDepth}`]),
    ...(sites ?? []).map(({ match }) => `rules of its own for ${match}`),
  ]
  return said.join(' ')
}
