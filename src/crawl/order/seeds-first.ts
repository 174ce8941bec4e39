import { type FetchQuota, quotaLeft } from '#policy/budget/quota.ts'
import { costOfAll, type FetchLimits, type PlannedFetch } from '#policy/budget/scheduler.ts'
import type { Plan } from '#policy/planning/plan.ts'

/** Makes a plan within limits; called once for seeds and once for the rest. */
type MakePlan = (limits: FetchLimits) => Plan

/**
 * Plans the seeds that wait for their first fetch, then everything else with what is left of the budget.
 * What the operator named must not wait behind what strangers link to; how many they are is the operator's choice.
 */
export function planSeedsFirst(
  seeds: Uint32Array,
  urlCount: number,
  limits: FetchLimits,
  makePlan: MakePlan,
  costOf: (url: number) => number = () => 1,
): Plan {
  if (seeds.length === 0) return makePlan(limits)
  const { quotas = [], budget } = limits
  const isSeed = new Uint32Array(urlCount) // by URL: 1 for a seed that waits
  for (const seed of seeds) isSeed[seed] = 1
  const ofSeeds = makePlan({
    ...limits,
    budget: Math.min(
      budget,
      seeds.reduce((sum, seed) => sum + costOf(seed), 0),
    ),
    quotas: [...quotas, onlyGroup(1, isSeed)],
  })
  // Even if seeds take it all, other hosts are not to be idle meanwhile.
  const left = Math.max(0, budget - costOfAll(ofSeeds.fetches))
  const taken = ofSeeds.fetches.map(({ url }) => url)
  const others = makePlan({
    ...limits,
    budget: left,
    quotas: [...quotas.map((quota) => quotaLeft(quota, taken)), onlyGroup(0, isSeed)],
  })
  return {
    ...others,
    fetches: [...ofSeeds.fetches.map(asSeed), ...others.fetches],
    reserved: [...(ofSeeds.reserved ?? []), ...(others.reserved ?? [])],
  }
}

/** Its bid may be low: it is told that it comes first all the same. */
function asSeed(fetch: PlannedFetch): PlannedFetch {
  return { ...fetch, why: () => `a seed that waits comes first; ${fetch.why()}` }
}

/** Leaves room for one of two groups alone. */
function onlyGroup(group: 0 | 1, groups: Uint32Array): FetchQuota {
  const most = [0, 0]
  most[group] = Number.POSITIVE_INFINITY
  return { groups, most }
}
