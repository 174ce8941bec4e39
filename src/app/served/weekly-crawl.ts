import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedRobots } from '#archive/recorded-robots.ts'
import { RecordedWeb, type RecordedWebOptions } from '#archive/recorded-web.ts'
import { type BirthDelays, BirthWatch } from '#lab/weeks/birth-watch.ts'
import { HeldCopies } from '#lab/weeks/held-copies.ts'
import { type Manners, MannersWatch } from '#lab/weeks/manners-watch.ts'
import type { WeeklyTruth } from '#lab/weeks/weekly-truth.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { costOf } from '#learn/entries/outcome.ts'
import type { Purpose } from '#policy/bids.ts'
import type { Registry } from '#policy/registry/registry.ts'
import type { Query } from '#workload/workload.ts'
import { startReplayServer } from '../server/replay-server.ts'
import { openServedCrawl, type ServedCrawl } from './served-crawl.ts'

/** A web that goes on week by week, and what crawls of it are told. */
interface WeeklySetup {
  readonly archive: Archive
  readonly truth: WeeklyTruth
  /** The query log that crawls may read. */
  readonly log: readonly Query[]
  /** Fetches a week, and in the first one, as shares of the pages that can be fetched then. */
  readonly budgetShare: number
  readonly startShare: number
  readonly seed: number
  /** Whom policies may name; ours if left out. */
  readonly registry?: Registry
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
 * Crawls a served web as it grows and changes: the server shows a week's snapshot, the crawl's clock says its
 * time, and the crawl spends the week's budget; then the server moves on.
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
      await this.#served({ dir, policy, copies, births, fetched }, async (spend) => {
        while (copies.week + 1 < archive.snapshotCount) {
          copies.nextWeek()
          weeks.push(await spend(budgetShare))
        }
      })
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
    const first = { dir, policy: START_POLICY, copies, births, fetched, log }
    await this.#served(first, async (spend) => {
      await spend(startShare)
    })
    return { dir, copies, fetched }
  }

  /** Serves the week that the copies are in, and lets a crawl spend its budgets. */
  async #served(
    crawler: Crawler,
    work: (spend: (share: number) => Promise<CrawledWeek>) => Promise<void>,
  ): Promise<void> {
    const { archive, sitemaps, seed, registry } = this.#setup
    const { copies, ...given } = crawler
    const witness = { manners: new MannersWatch(this.#robots), fetches: [] as LoggedFetch[] }
    await using open = new AsyncDisposableStack()
    const server = await startReplayServer({
      archive,
      port: 0,
      from: copies.week,
      // A snapshot a minute, on a clock that goes from week to week.
      speed: 1,
      now: () => copies.week * 60_000,
      sitemaps,
      answerMs: ANSWER_MS,
      onRequest: (url) => witness.manners.request(url),
    })
    open.defer(() => server.close())
    const crawl = await openServedCrawl({
      ...given,
      port: server.port,
      clock: { now: () => archive.timeOf(copies.week) },
      seeds: archive.site.start,
      seed,
      registry,
      onCycle: ({ fetches }) => witness.fetches.push(...fetches),
    })
    open.defer(() => crawl.close())
    await work((share) => {
      witness.manners = new MannersWatch(this.#robots)
      witness.fetches = []
      return this.#spend(crawl, share, crawler, witness)
    })
  }

  /** One week: what searchers get before and after its fetches. */
  async #spend(
    crawl: ServedCrawl,
    share: number,
    { copies, births, fetched }: Crawler,
    witness: { readonly manners: MannersWatch; readonly fetches: readonly LoggedFetch[] },
  ): Promise<CrawledWeek> {
    const { truth } = this.#setup
    const { week } = copies
    const qualityBefore = copies.quality()
    const { fetches, seconds } = await crawl.spend(Math.round(share * truth.fetchable[week]))
    const purposes = { acquire: 0, refresh: 0, discover: 0 }
    let firsts = 0
    for (const fetch of witness.fetches) {
      const { outcome, purpose } = fetch
      const cost = costOf(outcome)
      purposes[purpose] += cost
      if (!fetched.has(outcome.url)) firsts += cost
      if (cost > 0) fetched.add(outcome.url)
      if (isAnswer(fetch)) copies.fetched(outcome.url)
    }
    births.look(
      week,
      (page) => crawl.knows(truth.urlOf(page)!),
      (page) => copies.isHeld(page),
    )
    const qualityAfter = copies.quality()
    return {
      week,
      quality: (qualityBefore + qualityAfter) / 2,
      qualityBefore,
      qualityAfter,
      fetches,
      purposes,
      firsts,
      ...copies.stale(),
      births: births.delays(),
      manners: witness.manners.manners(),
      seconds,
    }
  }
}

/** One crawl, and what is known of it outside. */
interface Crawler {
  readonly dir: string
  readonly policy: string
  readonly copies: HeldCopies
  readonly births: BirthWatch
  /** URLs fetched so far; grows. */
  readonly fetched: Set<string>
  readonly log?: readonly Query[]
}

/** Whether a fetch says what is at its URL now. */
function isAnswer({ outcome: { kind } }: LoggedFetch): boolean {
  return kind === 'page' || kind === 'unchanged' || kind === 'gone' || kind === 'redirect'
}
