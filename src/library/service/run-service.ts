import { DAY_SECONDS, type Rate } from '#crawl/pace/allowance.ts'
import { quietHours } from '#crawl/pace/quiet-hours.ts'
import type { Clock } from '#crawl/ports.ts'
import { SettingError } from '#errors/setting-error.ts'
import { dropProgress } from '../control/progress-file.ts'
import { type Crawl, type OpenWith, openCrawl } from '../crawl.ts'
import { readSeeds } from '../open/seeds.ts'
import { openLiveWeb, quietWindows } from '../open/web.ts'
import type { CrawlSummary } from '../run/crawl-summary.ts'
import type { RunListener, RunningService } from '../run/run-crawl.ts'
import { type CrawlOptions, settingsFrom } from '../settings/crawl-options.ts'
import type { Settings } from '../settings/settings.ts'
import { dropGrant, noteGrant, sentInDay } from './grants.ts'
import { nextDue } from './next-due.ts'
import { ServiceNews } from './service-news.ts'
import { ServicePace, type ServiceRate } from './service-pace.ts'

/** A crawl that goes on for good. */
export interface ServiceOptions extends Pick<OpenWith, 'note'> {
  /** The settings to go by; asked again for every reload. What is wrong by then is noted, and changes nothing. */
  readonly read: () => CrawlOptions
  /** Ends the service; what is under way gets a moment to end. */
  readonly signal: AbortSignal
  /** Asks for a reload when it is called. */
  readonly onReload?: (reload: () => void) => void
  /** A crawl was opened, at the start and after each reload, with the settings as they are by then: who is to hear of it? */
  readonly begin?: (crawl: Crawl, rate: ServiceRate) => RunListener
  /** The machine's, if left out. */
  readonly clock?: Clock
}

/**
 * Crawls at a rate until it is told to stop: `fetchesADay`, `burst` and `quietHours` of the options. Searches, a query log
 * that grows and new seeds are taken in. A reload opens the crawl anew, as a further run does.
 *
 * @example
 * const stop = new AbortController()
 * const read = () => ({ dir: 'mycrawl', seedsFile: 'seeds.txt', contact: 'you@example.org', fetchesADay: 500 })
 * const { spent } = await runService({ read, signal: stop.signal })
 */
export async function runService(service: ServiceOptions): Promise<CrawlSummary> {
  const { read, signal, onReload, note = () => {} } = service
  let session: Session | undefined
  let isAsked = false
  onReload?.(() => {
    if (session) session.reload()
    else isAsked = true // while a crawl is opened
  })
  let options = read()
  let before: CrawlOptions | undefined
  let fault: string | undefined
  let isPaused = false
  for (;;) {
    const opened = await openAs(options, service).catch((error) => {
      if (!before || !(error instanceof SettingError)) {
        dropProgress(settingsFrom(options).settings.dir)
        throw error
      }
      note({ kind: 'reload failed', error })
      fault = error.message
      return undefined
    })
    if (opened === undefined) {
      options = before!
      before = undefined
      continue
    }
    session = new Session(opened, service, { fault, isPaused })
    if (isAsked) session.reload()
    isAsked = false
    const summary = await session.run()
    const { next } = session
    if (next === undefined || signal.aborted) return summary
    isPaused = session.isPaused
    session = undefined
    ;[before, options, fault] = [options, next, undefined]
  }
}

/** Smaller plans choose worse. */
const USUAL_BURST = 50
/**
 * A kill costs a step of the rate, and each step is a file that is written. A step is a share of a burst, and no less
 * than a rate brings while a slow host takes its time: no more than a step is under way at once.
 */
const STEP_SHARE = 0.02
const STEP_SECONDS = 30
const LEAST_STEP = 2
/** A crawl has a time of its own, which stands still while a machine sleeps: further apart from the machine's it is not to be. */
const MOST_OFF_SECONDS = 60

interface OpenedService {
  readonly options: CrawlOptions
  readonly crawl: Crawl
  readonly settings: Settings
  readonly clock: Clock
}

async function openAs(
  options: CrawlOptions,
  { note, clock }: ServiceOptions,
): Promise<OpenedService> {
  const { settings } = settingsFrom(options)
  if (settings.archive !== undefined)
    throw new SettingError('archive', 'a service crawls the live web: leave out {archive}')
  const seeds = readSeeds(settings.seedUrls ?? [], settings.seeds)
  const web = await openLiveWeb(settings, seeds, { clock })
  const crawl = await openCrawl(options, { note, web })
  return { options, crawl, settings, clock: web.clock }
}

/** The time between two reloads. */
class Session {
  /** The settings of the next one, if there is to be one. */
  next: CrawlOptions | undefined
  readonly #opened: OpenedService
  readonly #service: ServiceOptions
  readonly #news: ServiceNews
  readonly #reload = new AbortController()
  readonly #settingsAt = Date.now() / 1000
  #fault: string | undefined
  #isPausedNow = () => this.isPaused
  /** Who pauses a service finds it paused after a reload. */
  isPaused: boolean

  constructor(
    opened: OpenedService,
    service: ServiceOptions,
    { fault, isPaused }: { readonly fault: string | undefined; readonly isPaused: boolean },
  ) {
    this.#opened = opened
    this.#service = service
    this.#fault = fault
    this.isPaused = isPaused
    this.#news = new ServiceNews(opened.settings, opened.clock)
  }

  async run(): Promise<CrawlSummary> {
    const { signal, begin, note } = this.#service
    await using crawl = this.#opened.crawl
    const pace = await this.#pace()
    const on = begin?.(crawl, pace) ?? {}
    const summary = await crawl.run({
      signal: AbortSignal.any([signal, this.#reload.signal]),
      budget: Number.POSITIVE_INFINITY,
      service: this.#running(pace),
      on: {
        note,
        ...on,
        begin: (running) => {
          if (this.isPaused) running.pause()
          this.#isPausedNow = () => running.doing === 'paused'
          return on.begin?.(running)
        },
        beat: () => {
          this.#look()
          on.beat?.()
        },
      },
    })
    dropGrant(crawl.settings.dir)
    return summary
  }

  /** Reads the settings anew; the session ends if they can be read. */
  reload(): void {
    const { read, note = () => {} } = this.#service
    try {
      const options = read()
      settingsFrom(options)
      this.#openWith(options)
    } catch (error) {
      this.#fault = (error as Error).message
      note({ kind: 'reload failed', error: error as Error })
    }
  }

  /** New seeds are taken in, and a clock that was set is followed, by opening the crawl again. */
  #look(): void {
    const { clock, options } = this.#opened
    const isOff = Math.abs(clock.now() - Date.now() / 1000) > MOST_OFF_SECONDS
    if (this.#news.hasNewSeeds() || (isOff && !this.#service.clock)) this.#openWith(options)
    this.#news.look()
  }

  #openWith(options: CrawlOptions): void {
    if (!this.next) this.isPaused = this.#isPausedNow()
    this.next = options
    this.#reload.abort()
  }

  async #pace(): Promise<ServicePace> {
    const { crawl, settings, clock } = this.#opened
    const { dir, freshFor } = settings
    const { state, store } = crawl.opened
    const sentSince = (at: number) => store.reports.summary.sentSince(at)
    const before = await sentInDay(dir, clock.now(), state.spent, sentSince)
    const options = {
      rate: rateOf(settings),
      clock,
      spent: () => state.spent,
      quietUntil: quietHours(quietWindows(settings)),
      nextDue: (now: number) => nextDue(state.frontier, now, freshFor),
      news: () => this.#news.signal,
      onWait: () => this.#look(),
    }
    return new ServicePace(options, before)
  }

  #running(pace: ServicePace): RunningService {
    const { crawl, settings, clock } = this.#opened
    const rate = rateOf(settings)
    const { state } = crawl.opened
    const note = (unpaid: number) =>
      noteGrant(settings.dir, { at: clock.now(), upTo: state.spent + unpaid })
    return {
      pace,
      steps: { size: stepOf(rate), note },
      grownLog: () => this.#news.grownLog(),
      reload: () => this.reload(),
      isReloading: () => this.next !== undefined && !this.#service.signal.aborted,
      progress: () => ({
        ...{ ...rate, leftInDay: pace.leftInDay(), waits: pace.waits },
        ...{ settingsAt: this.#settingsAt, fault: this.#fault },
      }),
    }
  }
}

function stepOf({ fetchesADay, burst }: Rate): number {
  const meanwhile = (fetchesADay / DAY_SECONDS) * STEP_SECONDS
  return Math.ceil(Math.max(LEAST_STEP, burst * STEP_SHARE, meanwhile))
}

/** What may be saved up is an hour's worth, and enough for a good plan, if nobody says. */
function rateOf({ fetchesADay, burst }: Settings): Rate {
  const usual = Math.max(USUAL_BURST, Math.ceil(fetchesADay / 24))
  return { fetchesADay, burst: Math.min(burst ?? usual, fetchesADay) }
}
