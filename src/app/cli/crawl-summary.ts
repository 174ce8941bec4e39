import type { CrawlEnd } from '#crawl/crawl.ts'
import type { CrawlState } from '#crawl/cycle.ts'
import type { CrawlWitness } from './crawl-witness.ts'
import { duration, type Output, table } from './output.ts'
import { plainText } from './plain-text.ts'
import type { Settings } from './settings.ts'

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
  readonly known: number
  /** Known, and could still be fetched. */
  readonly waiting: number
  readonly seconds: number
  /** The first few reasons why fetches failed. */
  readonly failures: readonly string[]
}

const KINDS: Readonly<Record<string, string>> = {
  page: 'pages',
  unchanged: 'unchanged',
  redirect: 'redirects',
  gone: 'gone (404, 410)',
  unreadable: 'not readable',
  denied: 'denied by the server',
  disallowed: 'disallowed by robots.txt',
  forbidden: 'forbidden (address or port)',
  failed: 'failed',
}

/** What came of a run. */
export function summaryOf(
  end: CrawlEnd,
  { policy, dir, budget }: Settings,
  { spent, bytes, frontier }: CrawlState,
  witness: CrawlWitness,
): CrawlSummary {
  const { fetchedNow, tally, waiting, seconds, failures } = witness
  return {
    end,
    policy,
    dir,
    budget,
    spent,
    fetchedNow,
    bytes,
    outcomes: Object.fromEntries(tally),
    known: frontier.size,
    waiting,
    seconds,
    failures,
  }
}

export function summaryText(summary: CrawlSummary): string {
  const { fetchedNow, seconds, outcomes } = summary
  const rate = seconds > 0 ? `, ${(fetchedNow / seconds).toFixed(1)}/s` : ''
  const rows = Object.entries(KINDS).flatMap(([kind, words]) =>
    outcomes[kind] ? [[words, outcomes[kind]]] : [],
  )
  return [
    `${summary.end}: ${summary.spent.toLocaleString('en')} of ${summary.budget.toLocaleString('en')} fetches, ${fetchedNow.toLocaleString('en')} of them now (${duration(seconds)}${rate})`,
    '',
    table(['outcome', 'fetches'], rows),
    '',
    `${summary.known.toLocaleString('en')} URLs known, ${summary.waiting.toLocaleString('en')} not fetched yet; kept in ${summary.dir}`,
  ].join('\n')
}

/** Says what to do next; a crawl that got nothing at all has failed. */
export function describeEnd(summary: CrawlSummary, output: Output): void {
  const { end, outcomes, failures } = summary
  const failed = outcomes.failed ?? 0
  if (failed > 0 && failed === Object.values(outcomes).reduce((sum, count) => sum + count, 0)) {
    output.note(`forager: nothing could be fetched: ${plainText(failures[0])}`)
    process.exitCode = 1
    return
  }
  if (output.json) return
  if (failed > 0) output.note(`${failed} fetches failed, for example ${plainText(failures[0])}`)
  if (end === 'budget spent')
    output.note(`To go on, run the same command with --budget ${summary.budget * 2}`)
  if (end === 'byte budget spent')
    output.note('To go on, run the same command with more --max-bytes')
  if (end === 'stopped' || end === 'time is up') output.note('To go on, run the same command again')
  if (end === 'nothing left to fetch' && summary.waiting > 0)
    output.note(
      `${summary.waiting} URLs are left that failed (run the same command later) or that a limit holds back`,
    )
}
