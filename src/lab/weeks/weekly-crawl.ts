import { RecordedWeb } from '#archive/recorded-web.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { costOf } from '#learn/entries/outcome.ts'
import type { Purpose } from '#policy/bids.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { recordedScope } from '../worlds/recorded-scope.ts'
import { type World, WorldCrawl } from '../worlds/world-crawl.ts'
import { type BirthDelays, BirthWatch } from './birth-watch.ts'
import { HeldCopies } from './held-copies.ts'
import { type LossShares, PageLosses } from './page-losses.ts'
import type { WeeklyTruth } from './weekly-truth.ts'

/** A web that goes on week by week, and what crawls of it are told. */
interface WeeklySetup extends Omit<World, 'week'> {
  readonly truth: WeeklyTruth
  /** By query of the truth: how often the crawl saw it asked, where it matters to whoever plans. */
  readonly seen?: Float64Array
  /** Fetches a week, as a share of the pages that can be fetched then. */
  readonly budgetShare: number
  /** Pages that are held after the first week, as a share of those that can be fetched then. */
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

interface WeeklyCrawl {
  readonly weeks: readonly CrawledWeek[]
  readonly copies: HeldCopies
  /** Pages held after the first week. */
  readonly held: number
  /** What is to blame for what is missing; undefined where nothing is. */
  readonly losses: LossShares | undefined
}

/**
 * Crawls a recorded web as it grows and changes: each week the web shows its next snapshot, and the crawl spends the
 * week's budget. Gives all weeks but the first, which is the same for all policies.
 */
export async function crawlWeekly(
  policy: string | PlannerOf,
  setup: WeeklySetup,
): Promise<WeeklyCrawl> {
  const { archive, truth, startShare, startPolicy = 'pagerank', budgetShare } = setup
  const copies = HeldCopies.none(truth, setup.seen)
  const births = new BirthWatch(truth.births())
  const losses = new PageLosses(truth.pages.archivePages.length)
  const fetched = new Set<string>()
  const scope = recordedScope(new RecordedWeb(archive, 0))
  const crawl = new WorldCrawl({ ...setup, week: 0, scope })
  const shareOfPages = (share: number) =>
    Math.max(1, Math.round(share * truth.fetchable[copies.week]))
  await holdAtLeast(shareOfPages(startShare), copies, async (missing) => {
    const fetches = await crawl.spend(startPolicy, missing)
    counted(fetches, fetched, copies)
    return fetches.length
  })
  const { held } = copies.stale()
  const planner = typeof policy === 'string' ? policy : await policy(crawl, copies)
  const weeks: CrawledWeek[] = []
  while (copies.week + 1 < archive.snapshotCount) {
    copies.nextWeek()
    crawl.goTo(copies.week)
    const qualityBefore = copies.quality()
    const fetches = await crawl.spend(planner, shareOfPages(budgetShare))
    setup.on?.(fetches)
    const spent = counted(fetches, fetched, copies)
    const isKnown = (page: number) => crawl.knows(truth.urlOf(page)!)
    births.look(copies.week, isKnown, (page) => copies.isHeld(page))
    losses.look(copies, isKnown)
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
  return { weeks, copies, held, losses: losses.shares() }
}

/** Fetches until so many pages are held, or there is nothing left to fetch: what is no page does not count. */
async function holdAtLeast(
  pages: number,
  copies: HeldCopies,
  spend: (missing: number) => Promise<number>,
): Promise<void> {
  for (let { held } = copies.stale(); held < pages; { held } = copies.stale())
    if ((await spend(pages - held)) === 0) return
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
