import { type Crawl, openCrawl } from '../crawl.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { liveClock } from '../open/live-clock.ts'
import type { CrawlSummary } from '../run/crawl-summary.ts'
import type { CrawlOptions } from '../settings/crawl-options.ts'
import { settingsFrom } from '../settings/crawl-options.ts'
import { HandOut } from './hand-out.ts'

/** Whoever takes longer is taken for dead. */
const LEASE_SECONDS = 300

/** A crawl whose pages others fetch. */
export interface HandedOutCrawl extends AsyncDisposable {
  readonly crawl: Crawl
  readonly handOut: HandOut
  /** Settles when the crawl has nothing more to hand out. */
  readonly ended: Promise<CrawlSummary>
  readonly isOver: boolean
}

/** Opens a crawl that fetches nothing itself: what it plans is handed out, and it learns from what is reported. */
export async function openHandOut(
  options: CrawlOptions & { readonly leaseSeconds?: number },
  note: NoteListener = () => {},
): Promise<HandedOutCrawl> {
  const { leaseSeconds = LEASE_SECONDS, ...ofCrawl } = options
  const { settings } = settingsFrom(ofCrawl)
  const clock = liveClock()
  const { delay: delaySeconds, connectionsPerHost: perHost } = settings
  const handOut = new HandOut({ clock, delaySeconds, perHost, leaseSeconds })
  const web = { kind: 'recorded' as const, clock, seeds: [], fetcher: () => handOut }
  const crawl = await openCrawl(ofCrawl, { note, web })
  const stop = new AbortController()
  let isOver = false
  const ended = crawl.run({ signal: stop.signal, on: { note } }).finally(() => {
    isOver = true
  })
  ended.catch(() => {}) // whoever asks hears of it
  return {
    ...{ crawl, handOut, ended },
    get isOver() {
      return isOver
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await handOut.close()
      await ended.catch(() => {})
      await crawl.close()
    },
  }
}
