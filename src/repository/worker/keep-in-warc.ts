import type { KeptWith } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { releasePages } from '#numeric/own-pages.ts'
import type { WarcAppender } from '../warc/write/warc-appender.ts'

/** Writes what went over the wire for an outcome and its robots.txt; the outcome tells what was written instead. */
export function keepInWarc(
  { exchange, robots = [], ...outcome }: FetchOutcome,
  warc: WarcAppender,
  keptWith: KeptWith = {},
): FetchOutcome {
  const { original, ...facts } = keptWith
  const { url, ms: fetchTimeMs } = outcome
  const keptRobots = robots.map((file) => {
    const record = warc.append(file.exchange, { url: file.url, purpose: 'robots' })
    releasePages(file.exchange.body)
    return record
  })
  if (!exchange) return robots.length > 0 ? { ...outcome, kept: { robots: keptRobots } } : outcome
  const own = warc.append(exchange, { url, fetchTimeMs, ...facts }, original)
  releasePages(exchange.body)
  return { ...outcome, kept: { own, robots: keptRobots } }
}
