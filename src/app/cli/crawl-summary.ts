import type { CrawlEnd } from '#crawl/crawl.ts'
import { duration, type Output, table } from './output.ts'

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
  redirect: 'redirects',
  gone: 'gone (404, 410)',
  unreadable: 'not readable',
  denied: 'denied by the server',
  disallowed: 'disallowed by robots.txt',
  failed: 'failed',
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
  const { end, outcomes, failures, dir } = summary
  const failed = outcomes.failed ?? 0
  if (failed > 0 && failed === Object.values(outcomes).reduce((sum, count) => sum + count, 0)) {
    output.note(`forager: nothing could be fetched: ${failures[0]}`)
    process.exitCode = 1
    return
  }
  if (output.json) return
  if (failed > 0) output.note(`${failed} fetches failed, for example ${failures[0]}`)
  if (end === 'budget spent')
    output.note(
      `To go on, raise the budget: forager crawl --dir ${dir} --budget ${summary.budget * 2}`,
    )
  if (end === 'stopped')
    output.note(`To go on: forager crawl --dir ${dir} --budget ${summary.budget}`)
  if (end === 'nothing left to fetch' && summary.waiting > 0)
    output.note(
      `${summary.waiting} URLs failed and may be tried again later: run the same command then`,
    )
}
