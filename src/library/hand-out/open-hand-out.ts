import type { Pace } from '#crawl/crawl.ts'
import type { Clock, ToldSource } from '#crawl/ports.ts'
import { SettingError } from '#errors/setting-error.ts'
import { type Crawl, openCrawl } from '../crawl.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { liveClock } from '../open/live-clock.ts'
import type { CrawlSummary } from '../run/crawl-summary.ts'
import type { RunListener } from '../run/run-crawl.ts'
import type { CrawlOptions } from '../settings/crawl-options.ts'
import { settingsFrom } from '../settings/crawl-options.ts'
import { HandOut, type HandOutOptions } from './hand-out.ts'

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

/** What whoever hands out wants otherwise. */
interface HandOutWith {
  readonly clock?: Clock
  readonly handOut?: Partial<HandOutOptions>
  readonly pace?: (crawl: Crawl) => Pace
  readonly told?: ToldSource
  readonly on?: RunListener
  /** Everything is open, and nothing was planned yet. */
  readonly begin?: (crawl: Crawl, handOut: HandOut) => void
}

/** Opens a crawl that fetches nothing itself: what it plans is handed out, and it learns from what is reported. */
export async function openHandOut(
  options: CrawlOptions & { readonly leaseSeconds?: number },
  note: NoteListener = () => {},
  { clock = liveClock(), handOut: own, pace, told, on, begin }: HandOutWith = {},
): Promise<HandedOutCrawl> {
  const { leaseSeconds = LEASE_SECONDS, ...ofCrawl } = options
  const { settings } = settingsFrom(ofCrawl)
  if (settings.render)
    throw new SettingError(
      'render',
      '{render} is for crawls that fetch by themselves: leave it out, and render where you fetch',
    )
  const { delay: delaySeconds, connectionsPerHost: perHost } = settings
  const handOut = new HandOut({ clock, delaySeconds, perHost, leaseSeconds, ...own })
  const web = { kind: 'recorded' as const, clock, seeds: [], fetcher: () => handOut }
  const crawl = await openCrawl(ofCrawl, { note, web })
  begin?.(crawl, handOut)
  const stop = new AbortController()
  let isOver = false
  const run = crawl.run({
    ...{ signal: stop.signal, told, on: { note, ...on } },
    ...(pace && { pace: pace(crawl) }),
  })
  const ended = run.finally(() => {
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
