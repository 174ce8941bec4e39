import { geometricInterval, type Interval } from '../../metrics/bootstrap.ts'
import { groupsBy, sumOf } from '../../report/rows.ts'
import type { RevisitSums } from './discovery-compare.ts'

/** What one way of revisiting came to on one site. */
export interface SiteRevisits extends RevisitSums {
  readonly archive: string
}

/** How long new pages waited under one policy, as a multiple of another's; geometric means over sites. */
export interface WaitingRatio {
  readonly policy: string
  readonly against: string
  /** Revisits a week and site; 0 stands for all of the budgets together. */
  readonly budget: number
  readonly ratio: Interval
  readonly worst: number
  readonly worstSite: string
  readonly found: number
  readonly foundAgainst: number
}

/** Budgets that policies are judged by, in revisits a week and site. */
export const JUDGED_BUDGETS: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200]
/** Weeks added to what both waited, so that nobody is infinitely better for finding everything at once. */
const LEAST_WEEKS = 0.1
const EACH = 0

/** Every policy against each of the rivals, a policy's own name left out, at each budget and at all together. */
export function waitingRatios(
  rows: readonly SiteRevisits[],
  rivals: readonly string[],
  seed: number,
): WaitingRatio[] {
  const judged = rows.filter(
    ({ spending, budget }) => spending === 'weekly' && JUDGED_BUDGETS.includes(budget),
  )
  const budgets = [EACH, ...new Set(judged.map(({ budget }) => budget))]
  const byPolicy = groupsBy(judged, 'policy')
  return [...byPolicy].flatMap(([policy, own]) =>
    rivals
      .filter((rival) => rival !== policy && byPolicy.has(rival))
      .flatMap((against) =>
        budgets.map((budget) => {
          const isOf = (row: SiteRevisits) => budget === EACH || row.budget === budget
          const theirs = byPolicy.get(against)!.filter(isOf)
          return { policy, against, budget, ...compared(own.filter(isOf), theirs, seed) }
        }),
      ),
  )
}

function compared(ours: readonly SiteRevisits[], theirs: readonly SiteRevisits[], seed: number) {
  const sites = [...groupsBy(ours, 'archive')].map(([archive, own]) => ({
    archive,
    logRatio: logWaiting(own) - logWaiting(theirs.filter((row) => row.archive === archive)),
  }))
  const worst = sites.reduce((a, b) => (b.logRatio > a.logRatio ? b : a))
  const ratios = Float64Array.from(sites, ({ logRatio }) => Math.exp(logRatio))
  return {
    ratio: geometricInterval(ratios, { seed })!,
    worst: Math.exp(worst.logRatio),
    worstSite: worst.archive,
    found: sumOf(ours, 'found'),
    foundAgainst: sumOf(theirs, 'found'),
  }
}

/** The mean over budgets of the log of how long a new page waited. */
export function logWaiting(rows: readonly RevisitSums[]): number {
  return sumOf(rows, ({ waiting, born }) => Math.log(waiting / born + LEAST_WEEKS)) / rows.length
}

/** How long new pages waited with one budget, as a multiple of the next smaller one: above 1, more revisits did harm. */
export function budgetSteps(rows: readonly SiteRevisits[], seed: number) {
  const judged = rows.filter(({ budget }) => JUDGED_BUDGETS.includes(budget))
  const budgets = [...new Set(judged.map(({ budget }) => budget))].sort((a, b) => a - b)
  return [...groupsBy(judged, 'policy')].flatMap(([policy, own]) =>
    budgets.slice(1).map((budget, i) => {
      const [before, after] = [budgets[i], budget].map((one) =>
        own.filter((row) => row.budget === one),
      )
      const { ratio, worst, worstSite } = compared(after, before, seed)
      return { policy, from: budgets[i], to: budget, ratio, worst, worstSite }
    }),
  )
}
