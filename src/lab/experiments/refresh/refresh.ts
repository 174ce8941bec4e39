import type { Bidder } from '#policy/bidder.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'
import { HeldAnswers } from '../../refresh/held-answers.ts'
import { type Lastmod, lastmodSignals, type SitemapKind } from '../../refresh/lastmod.ts'
import { onlineRefresher } from '../../refresh/online-refresher.ts'
import type { PageChanges } from '../../refresh/page-changes.ts'
import { exactGains, gainRates, termGains, weeklyGains } from '../../refresh/period-gains.ts'
import {
  clairvoyantRefresher,
  knownGainRefresher,
  noRefresher,
  scheduledRefresher,
} from '../../refresh/period-refresher.ts'
import type { RefreshLab, RefreshScoring } from '../../refresh/refresh-lab.ts'
import { type Period, type Refresher, simulate } from '../../refresh/simulate.ts'
import { embarrassmentTimes } from '../../schedules/embarrassment.ts'
import type { PeriodBudget, PeriodFacts } from '../../schedules/period-facts.ts'
import { stalenessTimes } from '../../schedules/staleness.ts'

/**
 * Where a policy's parameters come from: the whole period it is judged on, as in the paper; the half before;
 * or its own fetches, as a crawler has them.
 */
export const REFRESH_PROTOCOLS = ['whole', 'split', 'online'] as const
export type RefreshProtocol = (typeof REFRESH_PROTOCOLS)[number]

/** Ways of refreshing that know parameters beforehand, as no bidder can. */
const KNOWN_BEFOREHAND = ['uniform', 'sbr', 'ebr', 'uc', 'uc-weekly', 'uc-terms', 'clairvoyant']
const CLAIRVOYANT = 'clairvoyant'
/** Whom experiments compare unless others are named. */
export const USUAL_REFRESHERS: readonly string[] = [
  ...new Set([...KNOWN_BEFOREHAND, ...REGISTRY.of('refresh').map(({ name }) => name)]),
]
/** Thresholds tried for `sbr` and `ebr`; the paper's, and 0. */
export const TAUS: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

export type RefreshRow = ReturnType<ReturnType<typeof judgeOf>>
/** How many fetches a policy that knows gains needs to be as good as the best of its rivals, of theirs. */
export type EqualQuality = ReturnType<typeof equalQualityOf>

/** How far a claimed change is believed, by week and kind of host. */
interface TrustRow {
  readonly scoring: RefreshScoring
  readonly percent: number
  readonly week: number
  readonly kind: SitemapKind
  readonly belief: number
}

export interface RefreshFindings {
  readonly rows: readonly RefreshRow[]
  readonly equalQuality: readonly EqualQuality[]
  readonly trust: readonly TrustRow[]
}

export interface RefreshCase {
  readonly scoring: RefreshScoring
  readonly protocol: RefreshProtocol
  /** Per cent of the pages that are fetched a week. */
  readonly percents: readonly number[]
  readonly policies: readonly string[]
  /** Who bids under these names; ours if left out. */
  readonly registry?: Registry
  readonly lastmod: Lastmod
  readonly seed: number
}

/** Runs all policies of one protocol on one archive. */
export function runRefresh(
  lab: RefreshLab,
  changes: () => PageChanges,
  one: RefreshCase,
): RefreshFindings {
  const last = lab.pages.weeks - 1
  const half = Math.floor(last / 2)
  const [whole, first, second] = [
    { from: 0, to: last },
    { from: 0, to: half },
    { from: half, to: last },
  ]
  if (one.protocol === 'whole') return runPeriod(lab, changes(), one, whole, whole)
  if (one.protocol === 'split') return runPeriod(lab, changes(), one, first, second)
  return runOnline(lab, one, whole)
}

function budgetsOf({ pages }: RefreshLab, percents: readonly number[]) {
  return percents.map((percent) => ({
    percent,
    budget: Math.max(1, Math.round((pages.archivePages.length * percent) / 100)),
  }))
}

/** Fetches a week, and as per cent of the pages. */
type Budget = ReturnType<typeof budgetsOf>[number]

/** Makes rows of what refreshers come to; knows what comes of doing nothing. */
function judgeOf(lab: RefreshLab, { scoring, protocol, lastmod }: RefreshCase, period: Period) {
  const none = simulate(lab, period, noRefresher)
  /** `tau`: the least share of shingles that counts, where a policy has one. */
  return (policy: string, tau: number | null, of: Budget, refresher: Refresher) => {
    const outcome = simulate(lab, period, refresher)
    const { budget, percent } = of
    const where = { policy, tau, scoring, estimates: protocol, lastmod, budget, percent }
    // What is missing from quality 1, of what is missing without any refreshing.
    const shortfall = none.quality < 1 ? (1 - outcome.quality) / (1 - none.quality) : 0
    return { ...where, ...outcome, shortfall }
  }
}

function refresherNamed(
  name: string,
  { registry = REGISTRY }: Pick<RefreshCase, 'registry'>,
): Bidder | undefined {
  const bidder = registry.named(name)
  return bidder?.task === 'refresh' ? bidder : undefined
}

function runOnline(lab: RefreshLab, one: RefreshCase, period: Period): RefreshFindings {
  const judge = judgeOf(lab, one, period)
  const trust: TrustRow[] = []
  const refresherFor = (name: string, budget: number, percent: number): Refresher => {
    const bidder = refresherNamed(name, one)
    if (bidder === undefined) return clairvoyantRefresher(budget, one.seed)
    const signals = lastmodSignals(lab.pages, one.lastmod, one.seed)
    const refresher = onlineRefresher(lab, { bidder, budget, from: 0, seed: one.seed, signals })
    if (signals === undefined || name !== 'quality') return refresher
    return {
      ...refresher,
      choose: (week, held) => {
        for (const [kind, belief] of Object.entries(signals.beliefs()))
          trust.push({ scoring: one.scoring, percent, week, kind: kind as SitemapKind, belief })
        return refresher.choose(week, held)
      },
    }
  }
  const rows = budgetsOf(lab, one.percents).flatMap((of) =>
    one.policies
      .filter((name) => name === CLAIRVOYANT || refresherNamed(name, one) !== undefined)
      // Where sitemaps say something, only those that listen are of interest.
      .filter(
        (name) => one.lastmod === 'none' || refresherNamed(name, one)?.needs.includes('claims'),
      )
      .map((name) => judge(name, null, of, refresherFor(name, of.budget, of.percent))),
  )
  return { rows, equalQuality: [], trust }
}

/** Who refreshes at a budget: one refresher, or one for each threshold. */
type Way = (
  budget: number,
) => readonly { readonly tau: number | null; readonly refresher: Refresher }[]

/** The ways that know beforehand what the weeks of `learnt` taught; `uc-terms` is the paper's own. */
function waysOf(
  lab: RefreshLab,
  changes: PageChanges,
  { scoring, seed }: RefreshCase,
  learnt: Period,
  { from, to }: Period,
): Readonly<Record<string, () => Way>> {
  const pages = lab.pages.archivePages.length
  const facts = periodFacts(lab, changes, learnt, from)
  const alone = (refresher: Refresher) => [{ tau: null, refresher }]
  const byGains =
    (gains: Float64Array): Way =>
    (budget) =>
      alone(knownGainRefresher(gains, { from, budget, seed }))
  const scheduled =
    (times: typeof stalenessTimes): Way =>
    (fetchesPerWeek) => {
      const plan: PeriodBudget = { weeks: to - from, fetchesPerWeek, seed }
      return TAUS.map((tau) => ({
        tau,
        refresher: scheduledRefresher(times(facts, plan, tau), from),
      }))
    }
  return {
    uniform: () => byGains(new Float64Array(pages).fill(1)),
    sbr: () => scheduled(stalenessTimes),
    ebr: () => scheduled(embarrassmentTimes),
    uc: () => byGains(gainRates(pages, learnt, exactGains(lab, learnt))),
    'uc-weekly': () => byGains(weeklyGains(pages, learnt, exactGains(lab, learnt))),
    'uc-terms': () => byGains(gainRates(pages, learnt, termGains(lab, scoring, learnt))),
    clairvoyant: () => (budget) => alone(clairvoyantRefresher(budget, seed)),
  }
}

function runPeriod(
  lab: RefreshLab,
  changes: PageChanges,
  one: RefreshCase,
  learnt: Period,
  period: Period,
): RefreshFindings {
  const judge = judgeOf(lab, one, period)
  const ways = waysOf(lab, changes, one, learnt, period)
  const tried = KNOWN_BEFOREHAND.filter((name) => one.policies.includes(name)).map((policy) => ({
    policy,
    way: ways[policy](),
  }))
  const rows: RefreshRow[] = []
  const equalQuality: EqualQuality[] = []
  for (const of of budgetsOf(lab, one.percents)) {
    const own = tried.flatMap(({ policy, way }) =>
      way(of.budget).map(({ tau, refresher }) => judge(policy, tau, of, refresher)),
    )
    rows.push(...own)
    const rivals = own.filter(({ policy }) => policy === 'sbr' || policy === 'ebr')
    if (rivals.length === 0) continue
    const best = rivals.reduce((a, b) => (b.quality > a.quality ? b : a))
    for (const { policy, way } of tried.filter(({ policy }) => policy.startsWith('uc'))) {
      const fetches = leastBudget(of.budget, (budget) => {
        const [{ refresher }] = way(budget)
        const { quality } = judge(policy, null, { ...of, budget }, refresher)
        return quality >= best.quality - ROUNDING
      })
      equalQuality.push(equalQualityOf(policy, best, fetches))
    }
  }
  return { rows, equalQuality, trust: [] }
}

function equalQualityOf(policy: string, best: RefreshRow, fetches: number) {
  const { scoring, estimates, percent, policy: rival, tau, budget: rivalFetches } = best
  const ratio = fetches / rivalFetches
  return { policy, scoring, estimates, percent, rival, tau, rivalFetches, fetches, ratio }
}

/** What is known of the pages when the weeks from `learnt.from` to `learnt.to` are known. */
function periodFacts(
  lab: RefreshLab,
  changes: PageChanges,
  learnt: Period,
  start: number,
): PeriodFacts {
  const pages = Uint32Array.from(lab.pages.archivePages.keys())
  const offsets = new Uint32Array(pages.length + 1)
  const shares: number[] = []
  for (const page of pages) {
    for (let change = changes.offsets[page]; change < changes.offsets[page + 1]; change++)
      if (changes.weeks[change] > learnt.from && changes.weeks[change] <= learnt.to)
        shares.push(changes.shares[change])
    offsets[page + 1] = shares.length
  }
  return {
    pages,
    observedWeeks: learnt.to - learnt.from,
    changeOffsets: offsets,
    changeShares: Float64Array.from(shares),
    clicks: HeldAnswers.at(lab.pages, lab.answers, start).clicks,
  }
}

/** Sums in another order differ by less than this: both are as good. */
const ROUNDING = 1e-9
/** Where even this many times the budget is not enough, it counts as what is needed. */
const MOST_TIMES = 8

/** The least budget that is enough, by halving; enough is taken to stay enough with more. */
function leastBudget(budget: number, isEnough: (budget: number) => boolean): number {
  let low = 0
  let high = 1
  while (high < MOST_TIMES * budget && !isEnough(high)) {
    low = high
    high *= 2
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}
