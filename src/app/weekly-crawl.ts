import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { costOf } from '#crawl/outcome.ts'
import type { LoggedFetch } from '#crawl/ports.ts'
import { RecordedRobots } from '#lab/recorded-robots.ts'
import { RecordedWeb, type RecordedWebOptions } from '#lab/recorded-web.ts'
import { type BirthDelays, BirthWatch } from '#lab/weeks/birth-watch.ts'
import { HeldCopies } from '#lab/weeks/held-copies.ts'
import { type Manners, MannersWatch } from '#lab/weeks/manners-watch.ts'
import type { WeeklyTruth } from '#lab/weeks/weekly-truth.ts'
import type { Purpose } from '#policy/bids.ts'
import type { Archive } from '#repository/archive/archive.ts'
import type { Query } from '#workload/workload.ts'
import { crawlServed, type ServedCrawl } from './served-crawl.ts'
import { startReplayServer } from './server/replay-server.ts'

/** A web that goes on week by week, and what crawls of it are told. */
export interface WeeklySetup {
  readonly archive: Archive
  readonly truth: WeeklyTruth
  /** The query log that crawls may read. */
  readonly log: readonly Query[]
  /** Fetches a week, and in the first one, as shares of the pages that can be fetched then. */
  readonly budgetShare: number
  readonly startShare: number
  readonly seed: number
  readonly sitemaps?: RecordedWebOptions['sitemaps']
  /** A folder that exists, for the crawls. */
  readonly folder: string
}

/** One week of one crawl. Quality 0 to 1 is that of the copies as they are held. */
export interface CrawledWeek {
  readonly week: number
  /** Mean of just before and just after the week's fetches. */
  readonly quality: number
  readonly qualityBefore: number
  readonly qualityAfter: number
  readonly fetches: number
  readonly purposes: Readonly<Record<Purpose, number>>
  /** Fetches of URLs that the crawl had never fetched before, whatever for. */
  readonly firsts: number
  /** Pages held after the fetches, and those of them that are out of date or gone. */
  readonly held: number
  readonly stale: number
  readonly births: BirthDelays
  readonly manners: Manners
  readonly seconds: number
}

/** Where all policies begin. */
interface FirstWeek {
  readonly dir: string
  readonly copies: HeldCopies
  readonly fetched: ReadonlySet<string>
}

/** Whoever crawls first, so that all policies begin alike. */
const START_POLICY = 'pagerank'
/** Long enough that a request sent before the answer to another is seen beside it. */
const ANSWER_MS = 1

/**
 * Crawls a served web as it grows and changes, a run a week, as a user would: the server shows the week's
 * snapshot, the crawl's clock says its time, and each run spends the week's budget.
 */
export class WeeklyCrawls {
  readonly #setup: WeeklySetup
  readonly #robots: RecordedRobots
  #start: FirstWeek | undefined

  constructor(setup: WeeklySetup) {
    this.#setup = setup
    this.#robots = new RecordedRobots(new RecordedWeb(setup.archive, 0, setup))
  }

  /** Crawls from the first week, which is the same for all policies, to the last; gives all weeks but the first. */
  async crawl(policy: string): Promise<{ weeks: CrawledWeek[]; copies: HeldCopies }> {
    const { archive, truth, folder, budgetShare } = this.#setup
    this.#start ??= await this.#crawlFirstWeek()
    const dir = join(folder, 'crawl')
    cpSync(this.#start.dir, dir, { recursive: true })
    const copies = this.#start.copies.copy()
    const births = new BirthWatch(truth.births())
    const fetched = new Set(this.#start.fetched)
    const weeks: CrawledWeek[] = []
    try {
      while (copies.week + 1 < archive.snapshotCount) {
        copies.nextWeek()
        weeks.push(
          await this.#crawlWeek({ dir, policy, share: budgetShare, copies, births, fetched }),
        )
      }
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
    return { weeks, copies }
  }

  async #crawlFirstWeek(): Promise<FirstWeek> {
    const { truth, log, folder, startShare } = this.#setup
    const dir = join(folder, 'start')
    const copies = HeldCopies.none(truth)
    const births = new BirthWatch([])
    const fetched = new Set<string>()
    const first = { dir, policy: START_POLICY, share: startShare, log }
    await this.#crawlWeek({ ...first, copies, births, fetched })
    return { dir, copies, fetched }
  }

  async #crawlWeek(run: {
    readonly dir: string
    readonly policy: string
    readonly share: number
    readonly copies: HeldCopies
    readonly births: BirthWatch
    /** URLs fetched so far; grows. */
    readonly fetched: Set<string>
    readonly log?: readonly Query[]
  }): Promise<CrawledWeek> {
    const { truth, seed } = this.#setup
    const { copies, births, fetched, dir, policy, log } = run
    const { week } = copies
    const purposes = { acquire: 0, refresh: 0, discover: 0 }
    let firsts = 0
    const qualityBefore = copies.quality()
    const { crawled, manners } = await this.#serving(week, (port, clock) =>
      crawlServed({
        dir,
        policy,
        budget: Math.round(run.share * truth.fetchable[week]),
        port,
        clock,
        seeds: this.#setup.archive.site.start,
        log,
        seed,
        onCycle: ({ fetches }) => {
          for (const fetch of fetches) {
            const cost = costOf(fetch.outcome)
            purposes[fetch.purpose] += cost
            if (!fetched.has(fetch.outcome.url)) firsts += cost
            if (cost > 0) fetched.add(fetch.outcome.url)
            if (isAnswer(fetch)) copies.fetched(fetch.outcome.url)
          }
        },
      }),
    )
    births.look(
      week,
      (page) => crawled.knows(truth.urlOf(page)!),
      (page) => copies.isHeld(page),
    )
    const qualityAfter = copies.quality()
    return {
      week,
      quality: (qualityBefore + qualityAfter) / 2,
      qualityBefore,
      qualityAfter,
      fetches: crawled.fetches,
      purposes,
      firsts,
      ...copies.stale(),
      births: births.delays(),
      manners,
      seconds: crawled.seconds,
    }
  }

  /** Serves one week to one run. */
  async #serving(
    week: number,
    run: (port: number, clock: { now(): number }) => Promise<ServedCrawl>,
  ): Promise<{ crawled: ServedCrawl; manners: Manners }> {
    const { archive, sitemaps } = this.#setup
    const watch = new MannersWatch(this.#robots)
    const server = await startReplayServer({
      archive,
      port: 0,
      from: week,
      speed: 0,
      sitemaps,
      answerMs: ANSWER_MS,
      onRequest: (url) => watch.request(url),
    })
    try {
      const crawled = await run(server.port, { now: () => archive.timeOf(week) })
      return { crawled, manners: watch.manners() }
    } finally {
      await server.close()
    }
  }
}

/** Whether a fetch says what is at its URL now. */
function isAnswer({ outcome: { kind } }: LoggedFetch): boolean {
  return kind === 'page' || kind === 'unchanged' || kind === 'gone' || kind === 'redirect'
}
