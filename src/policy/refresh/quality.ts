import { CHANGE_RATES } from '#learn/change-history.ts'
import type { Bidder } from '../bidder.ts'
import type { Bids } from '../bids.ts'
import { HORIZON_DAYS } from '../budget/one-currency.ts'
import type { Facts } from '../facts/facts.ts'
import type { GoneFacts } from '../facts/held-pages.ts'
import { ageInDays, daysText } from './age.ts'
import { leastLooks } from './least-looks.ts'
import { type RatePriors, ratePriors } from './rate-priors.ts'

const RATES = CHANGE_RATES.length
/** This share of all views is by queries that nobody knows: half of it is spread evenly, half by links. */
const UNKNOWN_SHARE = 0.15

const NEEDS = ['pages', 'ages', 'views', 'inLinks', 'classes', 'changes', 'claims'] as const

/**
 * Our default: what a change is expected to gain, times how long the copy is expected to have been stale,
 * averaged over all change rates that the page may have; what others gain by the words of its links; and what there is
 * to gain if the page is gone.
 */
export const qualityRefresh: Bidder = {
  name: 'quality',
  summary: 'expected gain of a change times the time a copy is likely stale',
  task: 'refresh',
  unit: 'quality',
  needs: [...NEEDS, 'copies', 'domains', 'scorePerView', 'gains', 'gone'],
  bids: (facts) => {
    const priors = ratePriors(facts)
    const leastPrices = leastLooks(facts, (place) => changedChance(facts, priors, place))
    const bids = { ...harmonicBids(facts, gainsPerChange(facts), priors), leastPrices }
    const { gains, expected } = bids
    const { gone, ages, pages } = facts
    for (let i = 0; i < gains.length; i++) {
      const forOthers = facts.gains.anchorPaceOf(pages[i]) * ageInDays(ages[i])
      gains[i] += (forOthers * ageInDays(ages[i])) / 2 // half the days, on average, that it was due
      expected[i] += forOthers
    }
    if (gone === undefined) return bids
    const seen = seenViews(facts)
    const outlook = (i: number) => goneOutlook(gone, i, ageInDays(ages[i]))
    for (let i = 0; i < gains.length; i++) {
      const { chance, days } = outlook(i)
      gains[i] += gone.gainPerView * seen(i) * days
      expected[i] += gone.gainPerView * seen(i) * chance
    }
    const why = (i: number) => `${bids.why(i)}${goneText(outlook(i).chance)}`
    return { ...bids, why }
  },
}

/** The same by views alone: what past fetches gained is not looked at. */
export const viewsRefresh: Bidder = {
  name: 'views',
  summary: 'views times the time a copy is likely stale',
  task: 'refresh',
  unit: 'rank',
  needs: NEEDS,
  bids: (facts) => harmonicBids(facts, facts.views),
}

/** Nothing where it is unlikely, as it mostly is. */
function goneText(chance: number): string {
  return chance < 0.01 ? '' : `, gone with ${Math.round(100 * chance)} %`
}

/** By place: how often a copy is seen, or may come to be. */
export function seenViews({
  views,
  inLinks = oneLinkEach(views),
  copies,
}: Pick<Facts, 'views' | 'inLinks' | 'copies'>): (place: number) => number {
  const sumOf = (column: Float64Array | Uint32Array) => {
    let sum = 0
    for (const some of column) sum += some
    return sum
  }
  const all = copies ?? { pages: views.length, views: sumOf(views), inLinks: sumOf(inLinks) }
  const unknown = (UNKNOWN_SHARE * all.views) / 2
  const [even, byLink] = [unknown / all.pages, unknown / Math.max(1, all.inLinks)]
  return (place) => (1 - UNKNOWN_SHARE) * views[place] + even + byLink * inLinks[place]
}

const oneLinkEach = (views: Float64Array) => new Uint32Array(views.length).fill(1)

/** By place: the quality that a change of the page is expected to gain, once it is fetched. */
export function gainsPerChange(
  facts: Pick<
    Facts,
    'pages' | 'views' | 'inLinks' | 'copies' | 'scorePerView' | 'classes' | 'gains'
  >,
): Float64Array {
  const { pages, scorePerView, classes, gains } = facts
  const beliefs = gains.beliefs()
  const seen = seenViews(facts)
  const expected = new Float64Array(pages.length)
  for (let i = 0; i < pages.length; i++)
    expected[i] = gains.expectedGain(pages[i], classes[pages[i]], seen(i), beliefs, scorePerView)
  return expected
}

function harmonicBids(
  facts: Pick<Facts, (typeof NEEDS)[number]>,
  gainPerChange: Float64Array,
  { spreads, starts } = ratePriors(facts),
): Bids & Required<Pick<Bids, 'expected'>> {
  const { pages, ages, changes, claims } = facts
  const chances = new Float64Array(RATES)
  const bids = new Float64Array(pages.length)
  const expected = new Float64Array(pages.length)
  for (let i = 0; i < pages.length; i++) {
    changes.posterior(pages[i], spreads, chances, starts[i])
    const days = ageInDays(ages[i])
    const { staleDays, changed } = expectedStaleness(chances, days)
    const belief = claims === undefined ? 1 : believed(changed, claims.oddsFactors[i])
    bids[i] = gainPerChange[i] * staleDays * belief
    expected[i] = gainPerChange[i] * changed * belief
  }
  return {
    purpose: 'refresh',
    urls: pages,
    gains: bids,
    expected,
    why: (bid) =>
      `a change gains ${gainPerChange[bid].toPrecision(3)}, the copy is ${daysText(ages[bid])} old`,
  }
}

/** How likely the page at a place is not as it was when it was last seen, whatever sitemaps say. */
function changedChance(
  { pages, ages, changes }: Pick<Facts, 'pages' | 'ages' | 'changes'>,
  { spreads, starts }: RatePriors,
  place: number,
): number {
  const chances = new Float64Array(RATES)
  changes.posterior(pages[place], spreads, chances, starts[place])
  return expectedStaleness(chances, ageInDays(ages[place])).changed
}

/** What is expected of a copy of that age, on average over the rates. */
interface ExpectedStaleness {
  /** The chance that its page has changed. */
  readonly changed: number
  /**
   * How long it has been stale: t − (1 − e^(−λt))/λ. Unlike the share of time it is fresh, this never gives up a page that
   * changes fast.
   */
  readonly staleDays: number
}

/** How stale a copy of that age is expected to be. */
export function expectedStaleness(chances: Float64Array, days: number): ExpectedStaleness {
  // Each rate is twice the one before, so its exponential is the square of the one before.
  let kept = Math.exp(-CHANGE_RATES[0] * days)
  let [share, unchanged] = [0, 0]
  for (let rate = 0; rate < RATES; rate++) {
    const changes = CHANGE_RATES[rate] * days
    const stale = changes < 1e-3 ? changes / 2 - (changes * changes) / 6 : 1 - (1 - kept) / changes
    share += chances[rate] * stale
    unchanged += chances[rate] * kept
    kept *= kept
  }
  return { changed: 1 - unchanged, staleDays: share * days }
}

/** What is expected of a copy whose page may be gone. */
interface GoneOutlook {
  readonly chance: number
  /**
   * Days of loss that a look saves. What vanishes in the usual course has been gone for some of the copy's age, and will be
   * looked for again; less so where signs speak against it. Of what they say beyond that a look is the last: it counts as
   * long as a new page does.
   */
  readonly days: number
}

/** What is expected of the copy at a place, of that age. */
export function goneOutlook(facts: GoneFacts, place: number, ageDays: number): GoneOutlook {
  const aDay = facts.goneADay[place]
  const usual = -Math.expm1(-aDay * ageDays)
  const belief = believed(usual, facts.oddsFactors[place])
  const chance = usual * belief
  const usualDays = aDay * ageDays < 1e-3 ? (usual * ageDays) / 2 : ageDays - usual / aDay
  const beyond = Math.max(0, chance - usual)
  return { chance, days: usualDays * Math.min(1, belief) + beyond * HORIZON_DAYS }
}

/** By what factor a signal that raises the odds of something raises its chance. */
export function believed(chance: number, oddsFactor: number): number {
  return oddsFactor === 1 ? 1 : oddsFactor / (oddsFactor * chance + 1 - chance)
}
