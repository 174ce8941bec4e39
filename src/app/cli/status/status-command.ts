import type { Command } from 'commander'
import { bucketsStatus } from '#library/buckets/look.ts'
import type { CrawlProgress, ServiceWait } from '#library/control/progress-file.ts'
import { readFleetStatus } from '#library/fleet/read-fleet-status.ts'
import { type BoardStatus, type CrawlStatus, readStatus } from '#library/status/status.ts'
import type { BudgetStatus, StatusAlarm, TaskForecast } from '#library/status/status-budget.ts'
import { totalOf } from '#policy/budget/added-bids.ts'
import { BucketsFolder } from '#repository/buckets/buckets-folder.ts'
import { momentText } from '../../text/age.ts'
import { said } from '../../text/said.ts'
import { silentSeedLines } from '../../text/silent-seeds.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { count, duration, outputFor, shortNumber, some, table } from '../terminal/output.ts'
import { sparkline } from '../terminal/sparkline.ts'
import { fleetLines } from '../words/fleet-text.ts'
import { outOfScopeLines, refusalLines, straySeedLines } from '../words/hindrance-lines.ts'
import { tasksText } from '../words/spending-text.ts'

/** The flags of `forager status`, and what it does. */
export function defineStatus(command: Command): void {
  addSettings(command, ['dir', 'leases'])
    .option('--json', 'print the status as JSON')
    .addHelpText(
      'after',
      `
Among it: what fetches were for, the price over time, what was gained, and whether it came as predicted;
--json has the whole series and tables.

Examples:
  forager status
  forager status --dir mycrawl --json
  forager status --leases postgres://forager@db.example/forager    # its workers, also while nobody plans`,
    )
    .action(async (options: { json?: boolean }, command: Command) => {
      const { dir, leases } = settingsOf(command).settings
      const stored = BucketsFolder.isAt(dir) ? bucketsStatus(dir) : await readStatus(dir)
      const fleet = leases === undefined ? stored.running?.fleet : await readFleetStatus(leases)
      const status = { ...stored, ...(fleet && { fleet }) }
      const text = () => [statusText(status), ...(fleet ? fleetLines(fleet) : [])].join('\n')
      outputFor(options).result(status, text)
    })
}

function spentText({ tasks, price }: CrawlProgress): string {
  return said(
    tasks && totalOf(tasks) > 0 && `, ${tasksText(tasks)}`,
    price !== undefined && `, price ${shortNumber(price)}`,
  ).join('')
}

function waitText({ host, until }: NonNullable<CrawlProgress['waitsFor']>): string {
  return `it waits for ${host}, which is left alone until ${momentText(until)}`
}

function meansText({ budget = 0, service }: CrawlProgress): string {
  if (!service) return `budget ${count(budget)}`
  return `${count(service.fetchesADay)} fetches a day, ${count(service.leftInDay)} of them left in these 24 hours`
}

const IDLE: Readonly<Record<ServiceWait['why'], string>> = {
  'quiet hours': 'quiet hours',
  rate: 'the rate allows no more',
  'nothing to fetch': 'nothing is due',
  'little to gain': 'little is left to gain',
}

function idleText({ why, until }: ServiceWait): string {
  return `it waits until ${momentText(until)}: ${IDLE[why]}`
}

const DOING = {
  crawling: 'running',
  paused: 'paused',
  stopping: 'stopping',
  reloading: 'reloading',
} as const

function statusText(status: CrawlStatus): string {
  const { running, states, topHosts } = status
  const { policy, remark } = running ?? status
  const remarks = said(remark !== undefined && `policy ${policy}: ${remark}`)
  const counted = `${some(status.spent, 'fetch', 'fetches')}, ${some(status.known, 'URL')} known`
  if (running)
    return [
      `${status.dir}: a crawl is ${DOING[running.doing]} (PID ${running.pid}, policy ${running.policy}): ${counted}, ${meansText(running)}, ${running.fetchesPerSecond.toFixed(1)}/s${spentText(running)}`,
      ...said(running.waitsFor && waitText(running.waitsFor)),
      ...said(running.service?.waits && idleText(running.service.waits)),
      ...said(running.service?.fault !== undefined && `not reloaded: ${running.service.fault}`),
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
    ...(status.silentSeeds ? silentSeedLines(status.silentSeeds) : []),
    ...refusalLines(status.refusing ?? []),
    ...outOfScopeLines(status),
    ...said(worth !== undefined && `what was fetched is worth ${worth} of quality a search`),
    ...(status.budget ? budgetLines(status.budget) : []),
    ...said(status.board && boardText(status.board)),
    '',
    table(['state', 'URLs'], stateRows),
    '',
    table(['host', 'known', 'fetched'], hostRows),
  ].join('\n')
}

function boardText({ urls, hosts, longest }: BoardStatus): string {
  if (!longest) return 'board: no URL waits for its first fetch'
  const row = `${longest.host} has the most, ${count(longest.urls)}, which take ${duration(longest.seconds)} at its pace`
  return `board: ${some(urls, 'URL')} may be fetched from ${some(hosts, 'host')}; ${row}`
}

/** How a budget was spent, in a few lines; empty before anything was. */
export function budgetLines(status: BudgetStatus): string[] {
  const { tasks, prices, gains, forecasts, random, alarms } = status
  if (totalOf(tasks.inAll) === 0) return []
  const hasChoice = totalOf(tasks.inAll) > tasks.inAll.acquire || prices.length > 0
  // A young crawl has done nothing but lately.
  const lately =
    totalOf(tasks.lately) === totalOf(tasks.inAll)
      ? ''
      : `; ${tasksText(tasks.lately)} in the last ${tasks.latelyCycles} cycles`
  return said(
    hasChoice && `spent on ${tasksText(tasks.inAll)}${lately}`,
    prices.length > 0 && `price ${curve(prices.map(({ price }) => price))}`,
    gains.length > 1 && `gain a cycle ${curve(gains.map(({ gain }) => gain))}`,
    ...forecasts.map(forecastText),
    random.fetches > 0 && randomText(random),
    ...alarms.map(alarmText),
  )
}

/** The curve, and where it stands now. */
function curve(values: readonly number[]): string {
  return `${sparkline(values)} now ${shortNumber(values.at(-1)!)}`
}

function forecastText(forecast: TaskForecast): string {
  const { task, unit, predicted, realised, rankCorrelation, fetches } = forecast
  const many = fetches.toLocaleString('en')
  return `${TASK_NAMES[task]}: predicted ${shortNumber(predicted)}, realised ${shortNumber(realised)} ${unit} a fetch (rank correlation ${rankCorrelation.toFixed(2)}, ${many} fetches)`
}

function randomText({ fetches, meanGain }: BudgetStatus['random']): string {
  const gain = meanGain === undefined ? '' : `, ${shortNumber(meanGain)} of quality each`
  return `sampled at random: ${fetches.toLocaleString('en')} fetches${gain}`
}

function alarmText({ kind, className, since, factor }: StatusAlarm): string {
  const what = kind === 'vanishing' ? 'vanish' : 'show new links'
  return `alarm since ${momentText(since)}: addresses like ${className} ${what} ${shortNumber(factor)} times as often as before`
}
