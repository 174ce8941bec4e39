import { countsOf } from '#policy/budget/reserve.ts'
import { isInUse } from '#repository/state/look.ts'
import { type CrawlProgress, readProgress } from '../control/progress-file.ts'
import { type LinksLeftAlone, storedLinksLeftAlone } from '../open/links-left-alone.ts'
import { type CrawlTables, type OpenCrawl, openExistingCrawl } from '../open/open-crawl.ts'
import { storedPaces } from '../plan/board-place.ts'
import { whyNoCopies } from '../settings/policy-names.ts'
import { DEFAULTS } from '../settings/settings.ts'
import { ifAny, type StoredHindrances, storedHindrances } from './hindrances.ts'
import { alarmsNow, type BudgetStatus, budgetStatus, type StatusAlarm } from './status-budget.ts'
import { type StrayRedirect, straySeeds } from './stray-redirects.ts'

const TOP_HOSTS = 10

/** How far a crawl has come. */
export interface CrawlStatus extends LinksLeftAlone, StoredHindrances {
  readonly dir: string
  /** Set while a crawl runs; the rest is then what it last told. */
  readonly running?: CrawlProgress
  /** Of the last crawl, and what the user should know of it. */
  readonly policy?: string
  readonly remark?: string
  readonly spent: number
  readonly realisedGain?: number
  /** How the one budget was spent, and what its forecasts came to. */
  readonly budget?: BudgetStatus
  /** Pages that say what another one says, or that they were not found. */
  readonly duplicates?: number
  readonly softErrors?: number
  /** Shapes of addresses that bring nothing new. */
  readonly throttledPatterns?: number
  readonly known: number
  readonly cycles?: number
  readonly states?: Readonly<Record<string, number>>
  /** Seeds that redirect out of the scope, if any do. */
  readonly straySeeds?: readonly StrayRedirect[]
  readonly links?: number
  readonly hosts?: number
  readonly topHosts?: readonly { host: string; known: number; fetched: number }[]
  /** URLs that may be fetched for the first time, and the hosts they wait for. */
  readonly board?: BoardStatus
}

/** What waits to be sent, host by host. */
export interface BoardStatus {
  readonly urls: number
  readonly hosts: number
  /** The host with the longest row, and the seconds that it takes at its pace. */
  readonly longest?: { readonly host: string; readonly urls: number; readonly seconds: number }
}

/** What a running crawl tells of itself; else what is stored, also in the moment when one begins or ends. */
export async function readStatus(dir: string): Promise<CrawlStatus> {
  const running = readProgress(dir) // a killed crawl leaves one too
  if (running && (await isInUse(dir)))
    return { dir, running, spent: running.spent, known: running.known }
  const opened = await openExistingCrawl(dir, Date.now() / 1000)
  try {
    return await statusOf(dir, opened)
  } finally {
    opened.store.close()
  }
}

/** What is stored of a crawl. */
export async function statusOf(dir: string, opened: OpenCrawl): Promise<CrawlStatus> {
  const { alarms, ...standing } = await standingOf(opened)
  const { budget, ...stored } = await storedStatus(dir, opened)
  // A URL that was named just now, as a seed, is in no table yet.
  const known = opened.state.frontier.size
  const hosts = opened.state.frontier.urls.hostCount
  return { ...stored, ...standing, known, hosts, budget: { ...budget, alarms } }
}

/** What tables alone tell: it takes no longer to open a crawl for that, however large it is. */
export interface StoredStatus
  extends Omit<CrawlStatus, 'running' | 'budget' | Exclude<keyof Standing, 'alarms'>> {
  readonly budget: Omit<BudgetStatus, 'alarms'>
  readonly hosts: number
}

export async function storedStatus(
  dir: string,
  { store }: Pick<CrawlTables, 'store'>,
): Promise<StoredStatus> {
  const { summary, budget } = store.reports
  const policy = await store.setting('policy') // a run since it was opened may have begun with one
  return {
    dir,
    policy,
    remark: policy === undefined ? undefined : whyNoCopies(policy, await summary.hasSearches()),
    ...(await summary.totals()),
    realisedGain: await budget.totalGain(),
    budget: await budgetStatus(store),
    ...(await summary.uselessContents()),
    ...(await storedHindrances(store)),
    ...(await storedLinksLeftAlone(store)),
    topHosts: await summary.busiestHosts(TOP_HOSTS),
  }
}

/** What is known only once the whole log was gone through. */
export interface Standing
  extends Required<Pick<CrawlStatus, 'states' | 'throttledPatterns' | 'links' | 'board'>>,
    Pick<CrawlStatus, 'straySeeds'> {
  readonly alarms: readonly StatusAlarm[]
}

export async function standingOf(opened: OpenCrawl): Promise<Standing> {
  const { frontier, lessons } = opened.state
  return {
    throttledPatterns: frontier.patterns.barrenCount,
    states: frontier.countByState(),
    straySeeds: ifAny(await straySeeds(opened)),
    links: frontier.links.size,
    board: await boardStatus(opened),
    alarms: alarmsNow(lessons),
  }
}

async function boardStatus(opened: OpenCrawl): Promise<BoardStatus> {
  const { urls } = opened.state.frontier
  const waiting = opened.state.frontier.unfetched(opened.now)
  const rows = countsOf(waiting, urls.hosts())
  const [host, most] = [...rows].reduce((best, next) => (next[1] > best[1] ? next : best), [-1, 0])
  const open = { urls: waiting.length, hosts: rows.size }
  if (most === 0) return open
  const paceOf = await storedPaces(opened, DEFAULTS)
  const first = waiting.find((url) => urls.hostNumberOf(url) === host)!
  const seconds = most * paceOf(urls.urlOf(first))
  return { ...open, longest: { host: urls.hostName(host), urls: most, seconds } }
}
