import type { CrawlEnd } from '#crawl/crawl.ts'
import type { CrawlState } from '#crawl/cycle.ts'
import type { LeftToGain } from '#crawl/until-gain.ts'
import type { Rest } from '#learn/resting-origins.ts'
import type { Tasks } from '#library/run/spending.ts'
import type { Settings } from '#library/settings/settings.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { totalOf } from '#policy/budget/added-bids.ts'
import { count, duration, type Output, shortNumber, some, table } from '../terminal/output.ts'
import { restLines } from '../words/resting-hosts.ts'
import { tasksText } from '../words/spending-text.ts'
import { type StrayRedirect, straySeedLines } from '../words/stray-redirects.ts'
import type { CrawlWitness } from './crawl-witness.ts'

/** What `forager crawl --json` prints. */
export interface CrawlSummary {
  readonly end: CrawlEnd
  readonly policy: string
  readonly dir: string
  readonly budget: number
  /** Fetches paid for in all. */
  readonly spent: number
  /** Fetches paid for in this run. */
  readonly fetchedNow: number
  /** Bytes of bodies received in all. */
  readonly bytes: number
  /** Outcomes of this run by kind; `disallowed` ones cost nothing. */
  readonly outcomes: Readonly<Record<string, number>>
  /** Of the failed ones: not sent, as their hosts were to be left alone; some perhaps fetched later. */
  readonly putOff?: number
  readonly known: number
  /** Known, and could still be fetched. */
  readonly waiting: number
  readonly seconds: number
  /** The first few reasons why fetches failed. */
  readonly failures: readonly string[]
  /** The first few addresses that we do not go to, with the flags that would change that. */
  readonly refusals: readonly string[]
  /** Seeds that redirect out of the scope, if any do. */
  readonly straySeeds?: readonly StrayRedirect[]
  /** If nothing else was left to fetch: the hosts that rest, and what waits for them. */
  readonly rests?: readonly Rest[]
  /** Fetches of this run by what they were for; see `forager status` for all runs. */
  readonly tasks: Tasks
  /** Quality that all fetches gained, as far as it was measured. */
  readonly gained?: number
  /** What the last fetch that the budget affords is worth, quality × days. */
  readonly price?: number
  /**
   * What stopping by `--until-gain` costs: fetches left, what they would be expected to gain, that as a share of
   * what was gained, and what they would gain if all went on as of late.
   */
  readonly left?: LeftToGain & { readonly shareOfGained: number }
}

const KINDS: Readonly<Record<string, string>> = {
  page: 'pages',
  unchanged: 'unchanged',
  redirect: 'redirects',
  gone: 'gone (404, 410)',
  unreadable: 'not readable',
  denied: 'denied by the server',
  disallowed: 'disallowed by robots.txt (not asked)',
  forbidden: 'forbidden address or port (not asked)',
  failed: 'failed',
  putOff: 'put off while their hosts rest (not asked)',
}

/** What came of a run. */
export function summaryOf(
  end: CrawlEnd,
  { policy, dir, budget }: Settings,
  { spent, bytes, frontier, gains, tracker }: CrawlState,
  witness: CrawlWitness,
  hindrances: { straySeeds: readonly StrayRedirect[]; rests: readonly Rest[] },
): CrawlSummary {
  const { straySeeds, rests } = hindrances
  const gained = gains.all.gain
  const { fetchedNow, tally, waiting, seconds, failures, refusals, spending, left, putOff } =
    witness
  return {
    end,
    policy,
    dir,
    budget,
    spent,
    fetchedNow,
    bytes,
    outcomes: Object.fromEntries(tally),
    ...(putOff > 0 && { putOff }),
    known: frontier.size,
    waiting,
    seconds,
    failures,
    refusals,
    ...(straySeeds.length > 0 && { straySeeds }),
    ...(rests.length > 0 && { rests }),
    tasks: spending.tasks,
    ...(tracker && { gained }),
    ...(spending.price !== undefined && { price: spending.price }),
    ...(end === 'little left to gain' &&
      left && { left: { ...left, shareOfGained: left.gain / gained } }),
  }
}

export function summaryText(summary: CrawlSummary): string {
  const { fetchedNow, seconds, putOff = 0 } = summary
  const { failed = 0, ...others } = summary.outcomes
  const outcomes: CrawlSummary['outcomes'] = { ...others, failed: failed - putOff, putOff }
  const rate = seconds > 0 ? `, ${(fetchedNow / seconds).toFixed(1)}/s` : ''
  const rows = Object.entries(KINDS).flatMap(([kind, words]) =>
    outcomes[kind] ? [[words, outcomes[kind]]] : [],
  )
  return [
    `${summary.end}${summary.rests ? ' for now' : ''}: ${spentText(summary)}, ${fetchedNow.toLocaleString('en')} of them now (${duration(seconds)}${rate})`,
    ...(summary.left ? [leftText(summary.left)] : []),
    '',
    ...(rows.length > 0 ? [table(['outcome', 'fetches'], rows), ''] : []),
    ...spendingLines(summary),
    `${some(summary.known, 'URL')} known, ${count(summary.waiting)} not fetched yet; kept in ${summary.dir}`,
  ].join('\n')
}

/** A budget may be smaller than what earlier runs were allowed. */
function spentText({ spent, budget }: CrawlSummary): string {
  const made = spent.toLocaleString('en')
  const allowed = budget.toLocaleString('en')
  return spent > budget
    ? `${made} fetches by earlier runs, more than --budget ${allowed}`
    : `${made} of ${allowed} fetches`
}

/** What stopping costs. */
function leftText(left: NonNullable<CrawlSummary['left']>): string {
  const { fetches, gain, shareOfGained, atLatestPace } = left
  const percent = shortNumber(100 * shareOfGained)
  return `the ${fetches.toLocaleString('en')} fetches left would be expected to gain ${shortNumber(gain)} more, ${percent} % of what was gained; at the pace of late, ${shortNumber(atLatestPace)}`
}

function spendingLines({ tasks, gained, price }: CrawlSummary): string[] {
  const worth = [
    ...(gained === undefined ? [] : [`gained ${gained.toPrecision(3)} of quality a search`]),
    ...(price === undefined ? [] : [`price ${shortNumber(price)}`]),
  ]
  return [
    ...(totalOf(tasks) > tasks.acquire ? [`spent on ${tasksText(tasks)}`] : []),
    ...(worth.length > 0 ? [worth.join(', ')] : []),
  ]
}

/** Says what to do next; a crawl that got nothing at all has failed, unless it was told to stop. */
export function describeEnd(summary: CrawlSummary, output: Output): void {
  const { end, outcomes, failures, refusals, putOff = 0, rests = [] } = summary
  const { failed = 0, forbidden = 0 } = outcomes
  const all = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
  if (end !== 'stopped' && all > 0 && failed + forbidden === all) {
    const why = failed > 0 ? failures[0] : refusals[0]
    output.note(`forager: nothing could be fetched: ${plainText(why)}`)
    process.exitCode = 1
    // A host that never answered may be a slip of the pen: when it is asked again does not matter.
    const living = rests.filter(({ hasAnswered }) => hasAnswered)
    if (!output.json) for (const line of restLines(living)) output.note(line)
    return
  }
  if (output.json) return
  for (const line of straySeedLines(summary.straySeeds ?? [])) output.note(line)
  const sent = failed - putOff
  if (sent > 0)
    output.note(`${some(sent, 'fetch', 'fetches')} failed, for example ${plainText(failures[0])}`)
  if (end === 'budget spent')
    output.note(
      `To go on, run the same command with --budget ${2 * Math.max(summary.budget, summary.spent)}`,
    )
  if (end === 'byte budget spent')
    output.note('To go on, run the same command with more --max-bytes')
  if (end === 'little left to gain')
    output.note('To go on, run the same command with a smaller --until-gain, or without it')
  if (end === 'stopped' || end === 'time is up') output.note('To go on, run the same command again')
  for (const line of restLines(rests)) output.note(line)
  if (end !== 'nothing left to fetch') return
  if (rests.length === 0 && summary.waiting === 0 && summary.fetchedNow === 0)
    output.note('All known URLs were fetched, or may not be: forager explain URL tells why')
  const left = rests.reduce((sum, { urls, copies }) => sum - urls + copies, summary.waiting)
  if (left > 0)
    output.note(
      `${some(left, 'URL is', 'URLs are')} left that failed (run the same command later) or that a limit holds back`,
    )
}
