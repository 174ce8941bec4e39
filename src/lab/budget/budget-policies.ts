import { SettingError } from '#errors/setting-error.ts'
import { Lessons } from '#learn/lessons.ts'
import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import { readsQueries } from '#policy/bidder.ts'
import type { Bids } from '#policy/bids.ts'
import type { AcquisitionModel } from '#policy/facts/acquisition-facts.ts'
import { BudgetPlanner, type BudgetSetup } from '#policy/planning/budget-planner.ts'
import type { Composition } from '#policy/planning/composition.ts'
import { isPolicyName, policyNamed } from '#policy/registry/policy-name.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'
import { clairvoyant } from './clairvoyant.ts'
import { PageValues } from './page-values.ts'
import type { QueryShares } from './query-shares.ts'
import type { SimulatedCrawler } from './simulated-crawler.ts'
import { knownValues, SeeingHistories, trueLosses } from './true-estimates.ts'
import type { Truth } from './truth.ts'
import type { WeekPlanner } from './week-planner.ts'

/** The customary splits; the best of them in hindsight is the mark for one budget. */
export const CLASSICAL_SPLITS: readonly string[] = [
  'split:70/20/10',
  'split:50/40/10',
  'split:33/33/34',
  'split:20/70/10',
  'split:60/10/30',
  'split:40/20/40',
  'split:10/85/5',
]
/** Splits that acquire first, and let what is idle flow to the rest. */
export const GREEDY_SPLITS: readonly string[] = ['split:97/2/1', 'split:90/5/5']
/** Other customary crawlers, and the splits they come to. */
const CUSTOMARY: Readonly<Record<string, string>> = {
  'bfs+uniform': 'split:50/50/0:bfs,uniform,none',
  'pagerank+split': 'split:70/20/10:pagerank,uniform,yield',
}
/**
 * One budget, with one estimate replaced by the truth: which of them costs most? `contents` knows what pages say, but
 * not what searchers will ask: the most that any estimate of values from the log can know.
 */
const KNOWN_TERMS = [
  'unified+contents',
  'unified+values',
  'unified+losses',
  'unified+yields',
] as const
type KnownTerm = (typeof KNOWN_TERMS)[number]

/** Whom experiments compare unless others are named; any other policy may be named too. */
export const USUAL_BUDGETS: readonly string[] = [
  'unified',
  ...CLASSICAL_SPLITS,
  ...GREEDY_SPLITS,
  ...Object.keys(CUSTOMARY),
  'clairvoyant',
  ...KNOWN_TERMS,
]

/** How well values are estimated is looked at in every eighth week, since it takes its time. */
const CORRELATED_WEEKS = 8

/** A crawl that is to be planned. */
interface PlannedCrawl {
  readonly crawler: SimulatedCrawler
  readonly truth: Truth
  readonly shares: QueryShares
  readonly seed: number
  /** What the starting pages taught. */
  readonly model: AcquisitionModel | undefined
  /** Whom policies may name; ours if left out. */
  readonly registry?: Registry
}

/** Says what is wrong with a policy's name, if anything is. */
export function checkBudgetPolicy(name: string, registry: Registry = REGISTRY): void {
  if (USUAL_BUDGETS.includes(name)) return
  const own = USUAL_BUDGETS.filter((usual) => !isPolicyName(usual, registry))
  if (!isPolicyName(name, registry) && !name.startsWith('split:'))
    throw new SettingError(
      'policies',
      `{policies} must be of ${own.join(', ')}, a policy of crawls, or shares such as split:70/20/10, not "${name}"`,
    )
  const { acquire } = policyNamed(name, registry).bidders
  if (acquire && readsQueries(acquire) && acquire.name !== 'impact')
    throw new SettingError(
      'policies',
      `{policies}: ${acquire.name} goes by an index, and this experiment has none; for new pages may bid impact, or who reads no queries`,
    )
}

/** The planner of that name, which must be one that `checkBudgetPolicy` lets pass. */
export function budgetPlannerNamed(name: string, crawl: PlannedCrawl): WeekPlanner {
  const { crawler, truth, registry } = crawl
  if (name === 'clairvoyant') return clairvoyant(crawler, truth)
  const known = KNOWN_TERMS.find((term) => term === name)
  if (known !== undefined) return knowing(known, crawl)
  const composition = policyNamed(CUSTOMARY[name] ?? name, registry)
  return livePlanner(crawl, {
    composition: composition.spends === 'alone' ? allOf(composition) : composition,
  })
}

/** A bidder for new pages alone, as shares: whole. */
function allOf(composition: Composition): Composition {
  return { ...composition, spends: 'shares', shares: { acquire: 1, refresh: 0, discover: 0 } }
}

/** One budget, with one estimate replaced by the truth. */
function knowing(known: KnownTerm, crawl: PlannedCrawl): WeekPlanner {
  const { crawler, truth, registry } = crawl
  const composition = policyNamed('unified', registry)
  const gainOf =
    known === 'unified+values'
      ? (url: number) => truth.gainOf(url)
      : known === 'unified+contents'
        ? (url: number) => truth.measuredGainOf(url)
        : undefined
  const knowsLosses = known === 'unified+losses'
  const bidders = {
    ...composition.bidders,
    ...(gainOf && { acquire: knownValues(gainOf) }),
    ...(knowsLosses && { refresh: trueLosses(truth) }),
  }
  return livePlanner(crawl, {
    composition: { ...composition, bidders },
    // What is known needs no correction.
    isExempt: { acquire: gainOf !== undefined, refresh: knowsLosses },
    ...(known === 'unified+yields' && {
      lessons: new Lessons(crawler.frontier, new SeeingHistories(truth)),
    }),
  })
}

/** The planner of live crawls. What `impact` bids is worked out more seldom than there. */
function livePlanner(
  crawl: PlannedCrawl,
  setup: Partial<BudgetSetup> & Pick<BudgetSetup, 'composition'>,
): WeekPlanner {
  const { crawler, shares, seed, model, truth } = crawl
  const { frontier, held, pageOf } = crawler
  const { composition } = setup
  const { acquire } = composition.bidders
  const values =
    acquire?.name === 'impact'
      ? new PageValues(acquire, crawler, shares, { seed, ...(model && { model }) })
      : undefined
  let [week, budget] = [0, 0]
  let bids: Bids | undefined
  const valued = values && {
    ...acquire!,
    bids: () => {
      bids = values.bids(week, budget)
      return bids
    },
  }
  const lessons = setup.lessons ?? new Lessons(frontier)
  const planner = new BudgetPlanner({
    ...setup,
    lessons,
    views: () => ({
      byUrl: new Map(pageOf.map((page, url) => [url, Math.max(0, held.clicks[page])])),
      meanScore: held.scorePerView(),
    }),
    composition: valued
      ? { ...composition, bidders: { ...composition.bidders, acquire: valued } }
      : composition,
  })
  return {
    plan: (thisWeek, thisBudget) => {
      ;[week, budget] = [thisWeek, thisBudget]
      truth.turnTo(week)
      const now = crawler.timeOf(week)
      const { fetches, price } = planner.plan({
        now,
        seed,
        candidates: frontier.unfetched(now),
        isUnderWay: () => false,
        limits: { budget, tieSeed: seed },
        affords: budget,
        otherBids: [],
      })
      const predictions = fetches.map(({ prediction }) => prediction ?? {})
      const isLookedAt = bids !== undefined && week % CORRELATED_WEEKS === 1
      return {
        fetches,
        predictions,
        ...(price !== undefined && { price }),
        ...(isLookedAt && { valueCorrelation: correlationWithTruth(bids!, truth) }),
      }
    },
    learn: (fetches, predictions) => {
      fetches.forEach((fetch, i) => {
        lessons.learn({ ...fetch, ...(predictions && { prediction: predictions[i] }) })
      })
      lessons.endCycle()
    },
  }
}

function correlationWithTruth({ urls, gains }: Bids, truth: Truth): number {
  return rankCorrelation(
    gains,
    Float64Array.from(urls, (url) => truth.gainOf(url)),
  )
}
