import { isInUse } from '#repository/state/look.ts'
import { type CrawlProgress, readProgress } from '../control/progress-file.ts'
import { type OpenCrawl, openExistingCrawl } from '../open/open-crawl.ts'
import { whyNoCopies } from '../settings/policy-names.ts'
import { type BudgetStatus, budgetStatus } from './status-budget.ts'
import { type StrayRedirect, straySeeds } from './stray-redirects.ts'

const TOP_HOSTS = 10

/** How far a crawl has come. */
export interface CrawlStatus {
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
  const { store, state } = opened
  const { frontier, spent, cycle } = state
  const strays = await straySeeds(opened)
  const { summary, budget } = store.reports
  const policy = await store.setting('policy')
  return {
    dir,
    policy,
    remark: policy === undefined ? undefined : whyNoCopies(policy, await summary.hasSearches()),
    spent,
    realisedGain: await budget.totalGain(),
    budget: await budgetStatus(store, frontier),
    ...(await summary.uselessContents()),
    throttledPatterns: frontier.patterns.barrenCount,
    known: frontier.size,
    cycles: cycle,
    states: frontier.countByState(),
    straySeeds: strays.length > 0 ? strays : undefined,
    links: frontier.links.size,
    hosts: frontier.urls.hostCount,
    topHosts: await summary.busiestHosts(TOP_HOSTS),
  }
}
