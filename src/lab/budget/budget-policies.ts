import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import type { Bidder } from '#policy/bidder.ts'
import { checkedPolicy, UNIFIED } from '#policy/registry/policy-name.ts'
import type { Registry } from '#policy/registry/registry.ts'
import type { PlannerOf } from '../weeks/weekly-crawl.ts'
import { clairvoyant } from './clairvoyant.ts'
import { knownValues, trueLosses, trueYields } from './true-estimates.ts'
import { Truth } from './truth.ts'

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
 * Estimates that the truth can take the place of, as in `unified+values`: which of them costs most? `contents` knows what
 * pages say, but not what searchers will ask: the most that any estimate of values from the log can know.
 */
const KNOWN_TERMS: Readonly<Record<string, (truth: Truth) => Bidder>> = {
  contents: (truth) => knownValues((url) => truth.measuredGainOf(url)),
  values: (truth) => knownValues((url) => truth.gainOf(url)),
  losses: trueLosses,
  yields: trueYields,
}
const CLAIRVOYANT = 'clairvoyant'

/** Whom experiments compare unless others are named; any other policy may be named too. */
export const USUAL_BUDGETS: readonly string[] = [
  'unified',
  ...CLASSICAL_SPLITS,
  ...GREEDY_SPLITS,
  ...Object.keys(CUSTOMARY),
  CLAIRVOYANT,
  ...Object.keys(KNOWN_TERMS).map((term) => `${UNIFIED}+${term}`),
]

/** How well values are estimated is looked at in every eighth week, since it takes its time. */
const CORRELATED_WEEKS = 8

/** Says what is wrong with a policy's name, if anything is. */
export function checkBudgetPolicy(name: string, registry?: Registry): void {
  if (!USUAL_BUDGETS.includes(name)) checkedPolicy(withoutTerm(name), 'policies', registry)
}

/** The estimate that a policy of that name knows, if it does. */
export function knownTermOf(name: string): string | undefined {
  return Object.keys(KNOWN_TERMS).find((term) => name.endsWith(`+${term}`))
}

function withoutTerm(name: string): string {
  const term = knownTermOf(name)
  return term ? name.slice(0, -term.length - 1) : name
}

/**
 * The planner of that name. `note` hears now and then how far the values of new pages go in the order of the true
 * ones, −1 to 1, where a bidder thinks in quality.
 */
export function budgetPlannerNamed(
  name: string,
  registry: Registry,
  note: (correlation: number) => void,
): PlannerOf {
  return async (crawl, copies) => {
    const truth = new Truth(crawl, copies)
    if (name === CLAIRVOYANT) return clairvoyant(crawl, truth)
    const term = knownTermOf(name)
    const known = term ? [KNOWN_TERMS[term](truth)] : []
    const watched = registry
      .of('acquire')
      .filter(({ unit }) => unit === 'quality')
      .map((bidder) => watchedBidder(bidder, truth, note))
    return crawl.planner(
      CUSTOMARY[name] ?? withoutTerm(name),
      registry.with([...watched, ...known]),
    )
  }
}

/** The same bidder, whose bids are compared with the truth in some weeks. */
function watchedBidder(bidder: Bidder, truth: Truth, note: (correlation: number) => void): Bidder {
  let lookedAt = 0
  return {
    ...bidder,
    bids: (facts) => {
      const bids = bidder.bids(facts)
      if (truth.week % CORRELATED_WEEKS === 1 && lookedAt !== truth.week) {
        lookedAt = truth.week
        const values = Float64Array.from(bids.urls, (url) => truth.gainOf(url))
        note(rankCorrelation(bids.gains, values))
      }
      return bids
    },
  }
}
