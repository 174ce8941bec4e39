import type { Archive } from '#archive/format/archive.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { mixHash } from '#numeric/hash.ts'
import { seededRandom } from '#numeric/random.ts'
import { smoothedPrice } from '#policy/budget/price.ts'
import type { PlannedFetch } from '#policy/budget/scheduler.ts'
import { BucketBids } from '#policy/planning/bucket-bids.test-kit.ts'
import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { offerColumns } from '#policy/planning/offer-columns.test-kit.ts'
import { planInBuckets } from '#policy/planning/plan-in-buckets.test-kit.ts'
import { splitColumns } from '#policy/planning/split-columns.test-kit.ts'
import type { Query } from '#workload/workload.ts'
import { WorldCrawl } from '../worlds/world-crawl.ts'

/** A plan as it was made in so many buckets, beside that of a crawl in one. */
interface ComparedPlan {
  readonly week: number
  readonly buckets: number
  readonly fetches: number
  readonly sampled: number
  /** The same URLs, bids, chances and price, to the last bit. */
  readonly isSame: boolean
}

/** How a recorded web is crawled, and how often plans are compared. */
interface Comparison {
  readonly queries: readonly Query[]
  readonly weeks: number
  /** Fetches a week. */
  readonly budget: number
  readonly buckets: readonly number[]
  readonly seed: number
}

/** Of one class, so many are planned at once: a quota that binds. */
const MOST_OF_CLASS = 5

/**
 * Crawls a recorded web week by week, and plans each time both in one piece and in buckets. A recorded web mostly is one
 * domain, so classes of URLs take its part here: they are dealt out to buckets, and have quotas.
 */
export async function plansInBuckets(
  archive: Archive,
  { queries, weeks, budget, buckets, seed }: Comparison,
): Promise<ComparedPlan[]> {
  const crawl = new WorldCrawl({ archive, week: 0, log: queries, seed })
  const compared: ComparedPlan[] = []
  for (let week = 0; week < Math.min(weeks, archive.snapshotCount); week++) {
    crawl.goTo(week)
    await crawl.spend('unified', budget)
    for (const count of buckets) {
      const planner = await crawl.planner('unified') // a new one for each, as a plan moves its price
      if (!(planner instanceof BudgetPlanner)) throw new Error('nobody plans in one currency')
      await planner.renew()
      const plan = comparedPlan(crawl, planner, { budget, seed, count })
      if (plan) compared.push({ week, buckets: count, ...plan })
    }
  }
  return compared
}

interface Planned {
  readonly budget: number
  readonly seed: number
  readonly count: number
}

function comparedPlan(crawl: WorldCrawl, planner: BudgetPlanner, { budget, seed, count }: Planned) {
  const { frontier } = crawl.state
  const { now } = crawl
  const classes = frontier.classes.all()
  const hashes = frontier.urls.hashes()
  const quotas = [{ groups: classes, most: MOST_OF_CLASS }]
  const limits = { budget, quotas, hashes, tieSeed: seed }
  const affords = 2 * budget
  const request = {
    ...{ now, seed, candidates: crawl.candidates(), isUnderWay: () => false, limits },
    ...{ affords, otherBids: [] },
  }
  const draft = planner.drafted(request)
  if (draft.offers === undefined) return undefined
  const before = planner.price > 0 ? planner.price : undefined
  const { fetches, price } = planner.plan(request)
  const bucketOf = (url: number) => mixHash(7, classes[url]) % count
  const finders = frontier.discoveries.finders()
  const finderBucketOf = (url: number) => bucketOf(finders[url] === NOBODY ? url : finders[url])
  const columns = offerColumns(draft, planner)
  const parts = splitColumns(columns, limits, bucketOf, count, finderBucketOf)
  const { corrections } = planner.learnt
  const random = seededRandom(seed).fork(`random fetches ${now}`)
  const made = planInBuckets(
    parts.map(
      ({ columns, limits, urls }) =>
        new BucketBids(
          columns,
          corrections.renumbered((url) => urls[url]),
          limits,
        ),
    ),
    { budget, affords, random },
  )
  const all = made.fetches.flatMap((some, bucket) =>
    some.map((fetch) => ({ ...fetch, url: parts[bucket].urls[fetch.url] })),
  )
  return {
    fetches: all.length,
    sampled: all.filter(({ probability }) => probability !== undefined).length,
    isSame: price === smoothedPrice(before, made.price) && told(all) === told(fetches),
  }
}

/** All that is to be the same, as text. */
function told(fetches: readonly PlannedFetch[]): string {
  const sorted = fetches.toSorted((a, b) => a.url - b.url)
  return JSON.stringify(
    sorted.map(({ url, gain, parts, expected, probability }) => ({
      ...{ url, gain, parts, expected, probability },
    })),
  )
}
