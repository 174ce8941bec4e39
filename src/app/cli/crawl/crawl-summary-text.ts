import type { CrawlSummary } from '#library/run/crawl-summary.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { totalOf } from '#policy/budget/added-bids.ts'
import { said } from '../../text/said.ts'
import { silentSeedLines } from '../../text/silent-seeds.ts'
import { count, duration, type Output, shortNumber, some, table } from '../terminal/output.ts'
import { outOfScopeLines, refusalLines, straySeedLines } from '../words/hindrance-lines.ts'
import { refusedAddressText } from '../words/refused-address.ts'
import { restLines } from '../words/resting-hosts.ts'
import { tasksText } from '../words/spending-text.ts'

/** What `forager crawl --json` prints. */
export type ToldSummary = Omit<CrawlSummary, 'refusals'> & {
  /** The first few addresses that we do not go to, with the flags that would change that. */
  readonly refusals: readonly string[]
}

export function toldSummary(summary: CrawlSummary): ToldSummary {
  const refusals = summary.refusals.map(({ url, reason }) => refusedAddressText(url, reason))
  return { ...summary, refusals }
}

/** What --budget + could be, where nothing was fetched now. */
const USUAL_MORE = 1000

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

export function summaryText(summary: ToldSummary): string {
  const { fetchedNow, seconds, putOff = 0 } = summary
  const { failed = 0, ...others } = summary.outcomes
  const outcomes: ToldSummary['outcomes'] = { ...others, failed: failed - putOff, putOff }
  const rate = seconds > 0 ? `, ${(fetchedNow / seconds).toFixed(1)}/s` : ''
  const rows = Object.entries(KINDS).flatMap(([kind, words]) =>
    outcomes[kind] ? [[words, outcomes[kind]]] : [],
  )
  return [
    `${summary.end}${summary.rests ? ' for now' : ''}: ${spentText(summary)}, ${fetchedNow.toLocaleString('en')} of them now (${duration(seconds)}${rate})`,
    ...said(summary.left && leftText(summary.left)),
    '',
    ...said(rows.length > 0 && `${table(['outcome', 'fetches'], rows)}\n`),
    ...spendingLines(summary),
    ...outOfScopeLines(summary),
    `${some(summary.known, 'URL')} known, ${count(summary.waiting)} not fetched yet; kept in ${summary.dir}`,
  ].join('\n')
}

/** A budget may be smaller than what earlier runs were allowed. */
function spentText({ spent, budget }: ToldSummary): string {
  const made = spent.toLocaleString('en')
  const allowed = budget.toLocaleString('en')
  return spent > budget
    ? `${made} fetches by earlier runs, more than --budget ${allowed}`
    : `${made} of ${allowed} fetches`
}

/** What stopping costs. */
function leftText(left: NonNullable<ToldSummary['left']>): string {
  const { fetches, gain, upTo, shareOfGained } = left
  const percent = shortNumber(100 * shareOfGained)
  return `the ${fetches.toLocaleString('en')} fetches left would be expected to gain ${shortNumber(gain)} more, ${percent} % of what was gained, and at most ${shortNumber(upTo)} (95 %)`
}

function spendingLines({ tasks, gained, price }: ToldSummary): string[] {
  const worth = said(
    gained !== undefined && `gained ${gained.toPrecision(3)} of quality a search`,
    price !== undefined && `price ${shortNumber(price)}`,
  )
  return said(
    totalOf(tasks) > tasks.acquire && `spent on ${tasksText(tasks)}`,
    worth.length > 0 && worth.join(', '),
  )
}

/** Says what to do next; a crawl that got nothing at all has failed, unless it was told to stop. */
export function describeEnd(summary: ToldSummary, output: Output): void {
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
  for (const line of summary.silentSeeds ? silentSeedLines(summary.silentSeeds) : [])
    output.note(line)
  for (const line of refusalLines(summary.refusing ?? [])) output.note(line)
  const { frames = 0 } = summary
  if (frames > 0)
    output.note(
      `${some(frames, 'page says', 'pages say')} next to nothing until scripts run: --render lets Chromium run them where that is worth it`,
    )
  const sent = failed - putOff
  if (sent > 0)
    output.note(`${some(sent, 'fetch', 'fetches')} failed, for example ${plainText(failures[0])}`)
  if (end === 'budget spent')
    output.note(
      `To go on, run the same command with --budget +${summary.fetchedNow || USUAL_MORE}: so many more, whenever it is run`,
    )
  if (end === 'byte budget spent')
    output.note('To go on, run the same command with more --max-bytes')
  if (end === 'little left to gain')
    output.note('To go on, run the same command with a smaller --until-gain, or without it')
  if (end === 'stopped' || end === 'time is up') output.note('To go on, run the same command again')
  for (const line of restLines(rests)) output.note(line)
  for (const pattern of summary.unmatchedIncludes ?? [])
    output.note(
      `nothing has matched --include '${plainText(pattern)}' so far: a pattern must match the whole address, as in 'example.org/docs/*'`,
    )
  if (end !== 'nothing left to fetch') return
  if (rests.length === 0 && summary.waiting === 0 && summary.fetchedNow === 0)
    output.note('All known URLs were fetched, or may not be: forager explain URL tells why')
  const left = rests.reduce((sum, { urls, copies }) => sum - urls + copies, summary.waiting)
  if (left > 0)
    output.note(
      `${some(left, 'URL is', 'URLs are')} left that failed (run the same command later) or that a limit holds back`,
    )
}
