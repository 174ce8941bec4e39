import { BudgetPlanner, type BudgetSetup } from '#policy/planning/budget-planner.ts'
import { UsageError } from '#errors/usage-error.ts'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import { Lessons } from '#learn/lessons.ts'
import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import type { Bids, Policy } from '#policy/bids.ts'
import { isSplitName, parseSplit } from '#policy/budget/split-name.ts'
import type { AcquisitionModel } from '#policy/facts/acquisition-facts.ts'
import { POLICIES } from '#policy/policies.ts'
import { qualityRefresh } from '#policy/refresh/quality.ts'
import { REFRESH_POLICIES } from '#policy/refresh/refresh-policies.ts'
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

/** Every policy that is tried unless others are named; any other split may be named too. */
export const BUDGET_POLICIES: readonly string[] = [
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
export interface PlannedCrawl {
  readonly crawler: SimulatedCrawler
  readonly truth: Truth
  readonly shares: QueryShares
  readonly seed: number
  /** What the starting pages taught. */
  readonly model: AcquisitionModel | undefined
}

/** Says what is wrong with a policy's name, if anything is. */
export function checkBudgetPolicy(name: string): void {
  if (!isSplitName(name)) {
    if (BUDGET_POLICIES.includes(name)) return
    const known = BUDGET_POLICIES.filter((policy) => !isSplitName(policy))
    throw new UsageError(
      `--policies must be of ${known.join(', ')}, or splits such as split:70/20/10, not "${name}"`,
    )
  }
  const { acquirer, refresher, discoverer } = parseSplit(name)
  const check = (task: string, one: string | undefined, known: readonly string[]) => {
    if (one !== undefined && !known.includes(one))
      throw new UsageError(
        `policy "${name}": nobody called "${one}" bids for ${task}; known are ${known.join(', ')}, none`,
      )
  }
  check('new pages', acquirer, ['impact', ...Object.keys(POLICIES)])
  check('copies', refresher, Object.keys(REFRESH_POLICIES))
  check('links', discoverer, ['yield'])
}

/** The planner of that name, which must be one that `checkBudgetPolicy` lets pass. */
export function budgetPlannerNamed(name: string, crawl: PlannedCrawl): WeekPlanner {
  const { crawler, truth } = crawl
  if (name === 'clairvoyant') return clairvoyant(crawler, truth)
  const known = KNOWN_TERMS.find((term) => term === name)
  if (name === 'unified' || known !== undefined) return oneBudget(crawl, known)
  const { shares, acquirer, refresher, discoverer } = parseSplit(CUSTOMARY[name] ?? name)
  const byImpact = acquirer === 'impact'
  return livePlanner(
    crawl,
    {
      shares,
      inQuality: {
        acquire: acquirer === undefined || byImpact,
        refresh: refresher === undefined || REFRESH_POLICIES[refresher].bidsInQuality === true,
      },
      ...(acquirer !== undefined && !byImpact && { acquirer: POLICIES[acquirer].policy }),
      ...(refresher !== undefined && { refresher: REFRESH_POLICIES[refresher].policy }),
      discovers: discoverer !== undefined,
    },
    byImpact,
  )
}

function oneBudget(crawl: PlannedCrawl, known: KnownTerm | undefined): WeekPlanner {
  const { crawler, truth } = crawl
  const gainOf =
    known === 'unified+values'
      ? (url: number) => truth.gainOf(url)
      : known === 'unified+contents'
        ? (url: number) => truth.measuredGainOf(url)
        : undefined
  const knowsValues = gainOf !== undefined
  const knowsLosses = known === 'unified+losses'
  return livePlanner(
    crawl,
    {
      refresher: knowsLosses ? trueLosses(truth) : qualityRefresh,
      discovers: true,
      // What is known needs no correction.
      isExempt: { acquire: knowsValues, refresh: knowsLosses },
      ...(known === 'unified+yields' && {
        lessons: new Lessons(crawler.frontier, new SeeingHistories(truth)),
      }),
      ...(gainOf && { acquirer: knownValues(gainOf) }),
    },
    !knowsValues,
  )
}

/** The planner of live crawls; `byImpact` lets our estimator bid for new pages. */
function livePlanner(
  crawl: PlannedCrawl,
  setup: Partial<BudgetSetup> & Pick<BudgetSetup, 'discovers'>,
  byImpact: boolean,
): WeekPlanner {
  const { crawler, shares, seed, model, truth } = crawl
  const { frontier, held, pageOf } = crawler
  const values = byImpact
    ? new PageValues(crawler, shares, { seed, ...(model && { model }) })
    : undefined
  let [week, budget] = [0, 0]
  let bids: Bids | undefined
  const impact: Policy<GraphFacts> = () => {
    bids = values!.bids(week, budget)
    return bids
  }
  const lessons = setup.lessons ?? new Lessons(frontier)
  const planner = new BudgetPlanner({
    lessons,
    clicks: () => ({
      byUrl: new Map(pageOf.map((page, url) => [url, Math.max(0, held.clicks[page])])),
      meanScore: held.scorePerClick(),
    }),
    ...(byImpact && { acquirer: impact }),
    ...setup,
  })
  return {
    plan: (thisWeek, thisBudget) => {
      ;[week, budget] = [thisWeek, thisBudget]
      truth.turnTo(week)
      const now = crawler.timeOf(week)
      const { fetches, notes, price } = planner.plan({
        now,
        seed,
        candidates: frontier.unfetched(now),
        isUnderWay: () => false,
        limits: { budget, tieSeed: seed },
        affords: budget,
        otherBids: [],
      })
      const thoughts = notes?.map(({ thought }) => thought ?? {})
      const isLookedAt = bids !== undefined && week % CORRELATED_WEEKS === 1
      return {
        fetches,
        ...(thoughts && { thoughts }),
        ...(price !== undefined && { price }),
        ...(isLookedAt && { valueCorrelation: correlationWithTruth(bids!, truth) }),
      }
    },
    learn: (fetches, thoughts) => {
      fetches.forEach((fetch, i) => {
        lessons.learn({ ...fetch, ...(thoughts && { thought: thoughts[i] }) })
      })
    },
  }
}

function correlationWithTruth({ urls, gains }: Bids, truth: Truth): number {
  return rankCorrelation(
    gains,
    Float64Array.from(urls, (url) => truth.gainOf(url)),
  )
}
