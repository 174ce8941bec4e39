import type { Archive } from '#archive/format/archive.ts'
import type { RecordedWebOptions } from '#archive/recorded-web.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { costOf } from '#learn/entries/outcome.ts'
import type { Purpose } from '#policy/bids.ts'
import type { Registry } from '#policy/registry/registry.ts'
import type { Query } from '#workload/workload.ts'
import { WorldCrawl } from '../worlds/world-crawl.ts'
import { type BirthDelays, BirthWatch } from './birth-watch.ts'
import { HeldCopies } from './held-copies.ts'
import type { WeeklyTruth } from './weekly-truth.ts'

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
}

/** Whoever crawls first, so that all policies begin alike. */
const START_POLICY = 'pagerank'

/**
 * Crawls a recorded web as it grows and changes: each week the web shows its next snapshot, and the crawl spends the
 * week's budget. Gives all weeks but the first, which is the same for all policies.
 */
export async function crawlWeekly(
  policy: string,
  setup: WeeklySetup,
): Promise<{ readonly weeks: readonly CrawledWeek[]; readonly copies: HeldCopies }> {
  const { archive, truth, startShare, budgetShare } = setup
  const copies = HeldCopies.none(truth)
  const births = new BirthWatch(truth.births())
  const fetched = new Set<string>()
  const crawl = new WorldCrawl({ ...setup, week: 0 })
  const spend = async (name: string, share: number) => {
    const fetches = await crawl.spend(name, Math.round(share * truth.fetchable[copies.week]))
    return counted(fetches, fetched, copies)
  }
  await spend(START_POLICY, startShare)
  const weeks: CrawledWeek[] = []
  while (copies.week + 1 < archive.snapshotCount) {
    copies.nextWeek()
    crawl.goTo(copies.week)
    const qualityBefore = copies.quality()
    const spent = await spend(policy, budgetShare)
    births.look(
      copies.week,
      (page) => crawl.knows(truth.urlOf(page)!),
      (page) => copies.isHeld(page),
    )
    const qualityAfter = copies.quality()
    weeks.push({
      week: copies.week,
      quality: (qualityBefore + qualityAfter) / 2,
      qualityBefore,
      qualityAfter,
      ...spent,
      ...copies.stale(),
      births: births.delays(),
    })
  }
  return { weeks, copies }
}

/** What fetches were for; what they found out is what the copies say from now on. */
function counted(fetches: readonly LoggedFetch[], fetched: Set<string>, copies: HeldCopies) {
  const purposes = { acquire: 0, refresh: 0, discover: 0 }
  let firsts = 0
  for (const fetch of fetches) {
    const { outcome, purpose } = fetch
    const cost = costOf(outcome)
    purposes[purpose] += cost
    if (!fetched.has(outcome.url)) firsts += cost
    if (cost > 0) fetched.add(outcome.url)
    if (isAnswer(fetch)) copies.fetched(outcome.url)
  }
  const { acquire, refresh, discover } = purposes
  return { fetches: acquire + refresh + discover, purposes, firsts }
}

/** Whether a fetch says what is at its URL now. */
function isAnswer({ outcome: { kind } }: LoggedFetch): boolean {
  return kind === 'page' || kind === 'unchanged' || kind === 'gone' || kind === 'redirect'
}
