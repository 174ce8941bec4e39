import type { KeptWith } from '#crawl/ports.ts'
import type { FetchOutcome, KeptRecord, RobotsExchange } from '#learn/entries/outcome.ts'
import { releasePages } from '#numeric/own-pages.ts'
import type { WarcAppender } from '../warc/write/warc-appender.ts'

/** Writes what went over the wire for an outcome; the outcome tells what was written instead. */
export function keepInWarc(
  received: FetchOutcome,
  warc: Pick<WarcAppender, 'append'>,
  keptWith: KeptWith = {},
): FetchOutcome {
  const { dom, ...fetched } = received.kind === 'page' ? received : { ...received, dom: undefined }
  const { exchange, kept, ...outcome } = fetched as FetchOutcome
  const { original, ...facts } = keptWith
  const { url, ms: fetchTimeMs } = outcome
  if (!exchange) return kept ? { ...outcome, kept } : outcome
  const own = warc.append(exchange, { url, fetchTimeMs, ...facts, dom, at: outcome.at }, original)
  releasePages(exchange.body)
  return { ...outcome, kept: { own, robots: kept?.robots ?? [] } }
}

/** Writes what went over the wire for a robots.txt, which is still to be read. */
export function keepRobotsInWarc(
  { url, exchange }: RobotsExchange,
  warc: Pick<WarcAppender, 'append'>,
): KeptRecord {
  return warc.append(exchange, { url, purpose: 'robots' })
}
