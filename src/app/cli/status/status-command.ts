import type { Command } from 'commander'
import { openExistingCrawl } from '#library/open/open-crawl.ts'
import { type CrawlProgress, readProgress } from '#library/run/progress-file.ts'
import { whyNoCopies } from '#library/settings/policy-names.ts'
import { type BudgetStatus, budgetStatus } from '#library/status/status-budget.ts'
import { totalOf } from '#policy/budget/added-bids.ts'
import { isInUse } from '#repository/state/look.ts'
import { momentText } from '../../text/age.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor, shortNumber, some, table } from '../terminal/output.ts'
import { tasksText } from '../words/spending-text.ts'
import { type StrayRedirect, straySeedLines, straySeeds } from '../words/stray-redirects.ts'
import { budgetLines } from './status-budget-text.ts'

/** What `forager status --json` prints. */
interface Status {
  readonly dir: string
  /** Set while a crawl runs; the rest is then what it last told. */
  readonly running?: CrawlProgress
  /** Of the last crawl, and what the user should know of it. */
  readonly policy?: string
  readonly remark?: string
  readonly spent: number
  readonly known: number
  readonly cycles?: number
  readonly states?: Readonly<Record<string, number>>
  /** Seeds that redirect out of the scope, if any do. */
  readonly straySeeds?: readonly StrayRedirect[]
  readonly links?: number
  readonly hosts?: number
  /** Pages that say what another one says, or that they were not found. */
  readonly duplicates?: number
  readonly softErrors?: number
  /** Shapes of addresses that bring nothing new. */
  readonly throttledPatterns?: number
  /** What all fetches were worth to searchers, as far as it was measured. */
  readonly realisedGain?: number
  /** How the one budget was spent, and what its forecasts came to. */
  readonly budget?: BudgetStatus
  readonly topHosts?: readonly { host: string; known: number; fetched: number }[]
}

const TOP_HOSTS = 10

/** The flags of `forager status`, and what it does. */
export function defineStatus(command: Command): void {
  addSettings(command, ['dir'])
    .option('--json', 'print the status as JSON')
    .addHelpText(
      'after',
      `
Among it: what fetches were for, the price over time, what was gained, and whether it came as predicted;
--json has the whole series and tables.

Examples:
  forager status
  forager status --dir mycrawl --json`,
    )
    .action(async (options: { json?: boolean }, command: Command) => {
      const status = await readStatus(settingsOf(command).settings.dir)
      outputFor(options).result(status, () => statusText(status))
    })
}

/** What a running crawl tells of itself; else what is stored, also in the moment when one begins or ends. */
async function readStatus(dir: string): Promise<Status> {
  const running = readProgress(dir) // a killed crawl leaves one too
  return running && (await isInUse(dir))
    ? { dir, running, spent: running.spent, known: running.known }
    : readStored(dir)
}

async function readStored(dir: string): Promise<Status> {
  const opened = await openExistingCrawl(dir, Date.now() / 1000)
  const { store, state } = opened
  try {
    const { frontier, spent, cycle } = state
    const strays = await straySeeds(opened)
    const { summary, budget } = store.reports
    const policy = await store.setting('policy')
    const remark = policy && whyNoCopies(policy, await summary.hasSearches())
    const realisedGain = await budget.totalGain()
    return {
      dir,
      ...(policy !== undefined && { policy }),
      ...(remark && { remark }),
      spent,
      ...(realisedGain !== undefined && { realisedGain }),
      budget: await budgetStatus(store, frontier),
      ...(await summary.uselessContents()),
      throttledPatterns: frontier.patterns.barrenCount,
      known: frontier.size,
      cycles: cycle,
      states: frontier.countByState(),
      ...(strays.length > 0 && { straySeeds: strays }),
      links: frontier.links.size,
      hosts: frontier.urls.hostCount,
      topHosts: await summary.busiestHosts(TOP_HOSTS),
    }
  } finally {
    store.close()
  }
}

function spentText({ tasks, price }: CrawlProgress): string {
  return [
    ...(tasks && totalOf(tasks) > 0 ? [`, ${tasksText(tasks)}`] : []),
    ...(price === undefined ? [] : [`, price ${shortNumber(price)}`]),
  ].join('')
}

function waitText({ host, until }: NonNullable<CrawlProgress['waitsFor']>): string {
  return `it waits for ${host}, which is left alone until ${momentText(until)}`
}

const DOING = { crawling: 'running', paused: 'paused', stopping: 'stopping' } as const

function statusText(status: Status): string {
  const { running, states, topHosts } = status
  const { policy, remark } = running ?? status
  const remarks = remark === undefined ? [] : [`policy ${policy}: ${remark}`]
  const counted = `${some(status.spent, 'fetch', 'fetches')}, ${some(status.known, 'URL')} known`
  if (running)
    return [
      `${status.dir}: a crawl is ${DOING[running.doing]} (PID ${running.pid}, policy ${running.policy}): ${counted}, budget ${running.budget.toLocaleString('en')}, ${running.fetchesPerSecond.toFixed(1)}/s${spentText(running)}`,
      ...(running.waitsFor ? [waitText(running.waitsFor)] : []),
      ...remarks,
    ].join('\n')
  const stateRows = Object.entries(states ?? {}).filter(([, count]) => count > 0)
  const worth = status.realisedGain?.toFixed(2)
  const hostRows = (topHosts ?? []).map(({ host, known, fetched }) => [host, known, fetched])
  return [
    `${status.dir}: ${counted} on ${some(status.hosts ?? 0, 'host')}, ${some(status.links ?? 0, 'link')}, ${some(status.cycles ?? 0, 'cycle')}`,
    `${some(status.duplicates ?? 0, 'duplicate')}, ${some(status.softErrors ?? 0, 'error page')} with status 200, ${some(status.throttledPatterns ?? 0, 'URL pattern')} throttled for bringing nothing new`,
    ...remarks,
    ...straySeedLines(status.straySeeds ?? []),
    ...(worth === undefined ? [] : [`what was fetched is worth ${worth} of quality a search`]),
    ...(status.budget ? budgetLines(status.budget) : []),
    '',
    table(['state', 'URLs'], stateRows),
    '',
    table(['host', 'known', 'fetched'], hostRows),
  ].join('\n')
}
