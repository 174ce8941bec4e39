import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { costOf } from '#learn/entries/outcome.ts'
import type { Purpose } from '#policy/bids.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { type World, WorldCrawl } from '../worlds/world-crawl.ts'
import { type BirthDelays, BirthWatch } from './birth-watch.ts'
import { HeldCopies } from './held-copies.ts'
import type { WeeklyTruth } from './weekly-truth.ts'

/** A web that goes on week by week, and what crawls of it are told. */
interface WeeklySetup extends Omit<World, 'week'> {
  readonly truth: WeeklyTruth
  /** By query of the truth: how often the crawl saw it asked, where it matters to whoever plans. */
  readonly seen?: Float64Array
  /** Fetches a week, and in the first one, as shares of the pages that can be fetched then. */
  readonly budgetShare: number
  readonly startShare: number
  /** Whoever crawls in the first week, so that all begin alike; by PageRank if left out. */
  readonly startPolicy?: string
  /** Hears of all fetches but those of the first week. */
  readonly on?: (fetches: readonly LoggedFetch[]) => void
}

/** Makes a planner for a crawl that may look at what nobody can know. */
export type PlannerOf = (crawl: WorldCrawl, copies: HeldCopies) => Promise<Planner>

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
  /** What the last fetch was worth, where the policy has a price. */
  readonly price?: number
}

/**
 * Crawls a recorded web as it grows and changes: each week the web shows its next snapshot, and the crawl spends the
 * week's budget. Gives all weeks but the first, which is the same for all policies.
 */
export async function crawlWeekly(
  policy: string | PlannerOf,
  setup: WeeklySetup,
): Promise<{ readonly weeks: readonly CrawledWeek[]; readonly copies: HeldCopies }> {
  const { archive, truth, startShare, startPolicy = 'pagerank', budgetShare } = setup
  const copies = HeldCopies.none(truth, setup.seen)
  const births = new BirthWatch(truth.births())
  const fetched = new Set<string>()
  const crawl = new WorldCrawl({ ...setup, week: 0 })
  const spend = (by: string | Planner, share: number) =>
    crawl.spend(by, Math.max(1, Math.round(share * truth.fetchable[copies.week])))
  counted(await spend(startPolicy, startShare), fetched, copies)
  const planner = typeof policy === 'string' ? policy : await policy(crawl, copies)
  const weeks: CrawledWeek[] = []
  while (copies.week + 1 < archive.snapshotCount) {
    copies.nextWeek()
    crawl.goTo(copies.week)
    const qualityBefore = copies.quality()
    const fetches = await spend(planner, budgetShare)
    setup.on?.(fetches)
    const spent = counted(fetches, fetched, copies)
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
      ...(crawl.price !== undefined && { price: crawl.price }),
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
