import { describe, expect, test } from 'vitest'
import { ChangeHistory } from '#learn/change-history.ts'
import { GainHistory } from '#learn/gain-history.ts'
import { seededRandom } from '#numeric/random.ts'
import { needsViews } from '../bidder.ts'
import { planFetches } from '../budget/scheduler.ts'
import { type Facts, someFacts } from '../facts/facts.ts'
import { REGISTRY } from '../registry/registry.ts'

const REFRESHERS = REGISTRY.of('refresh')
const bidsOf = (name: string, facts: Facts) => REGISTRY.named(name)!.bids(facts)

const DAY = 86_400

interface Visit {
  readonly days: number
  readonly changed: boolean
  readonly gain?: number
}

/** Facts on pages of one class, 0 on, each with its views, its age and its past visits. */
function factsOn(
  pages: readonly {
    readonly clicks: number
    readonly days: number
    readonly visits?: readonly Visit[]
  }[],
  overrides: Partial<Facts> = {},
): Facts {
  const history = new ChangeHistory()
  const gains = new GainHistory()
  pages.forEach(({ clicks, visits = [] }, url) => {
    for (const { days, changed, gain = 0 } of visits) {
      history.observe(url, days, changed)
      gains.observe(url, { days, changed, gain, views: clicks, classNumber: 0 })
    }
  })
  return someFacts({
    pages: Uint32Array.from(pages.keys()),
    ages: Float64Array.from(pages, ({ days }) => days * DAY),
    views: Float64Array.from(pages, ({ clicks }) => clicks),
    classes: new Uint32Array(pages.length),
    changes: history,
    gains,
    ...{
      copies: undefined,
      scorePerView: undefined,
      inLinks: undefined,
      domains: new Uint32Array(pages.length),
    },
    ...{ claims: undefined, gone: undefined },
    fetchesPerDay: 1,
    ...overrides,
  })
}

const random = seededRandom(11)
const many = Array.from({ length: 200 }, () => ({
  clicks: random.exponential(1),
  days: random.below(200),
  visits: Array.from({ length: random.below(9) }, () => {
    const changed = random.chance(0.4)
    return { days: 1 + random.below(50), changed, gain: changed ? random.exponential(0.1) : 0 }
  }),
}))
const varied: Record<string, Facts> = {
  'nothing held': factsOn([]),
  'nothing known of a page': factsOn([{ clicks: 0, days: 7 }]),
  'a copy of this moment, and a clock set back': factsOn([
    { clicks: 1, days: 0 },
    { clicks: 1, days: -3 },
  ]),
  'nobody asks': factsOn([
    { clicks: 0, days: 7 },
    { clicks: 0, days: 70 },
  ]),
  'many pages': factsOn(many),
  'many pages, of which sitemaps speak': factsOn(many, {
    claims: { oddsFactors: Float64Array.from(many, (_, i) => (i % 3 === 0 ? 20 : 0.1)) },
  }),
}

describe.each(REFRESHERS)('$name', (bidder) => {
  test.each(Object.entries(varied))('one finite bid of at least 0 a page: %s', (_, facts) => {
    const { urls, gains, purpose, why } = bidder.bids(facts)
    expect(purpose).toBe('refresh')
    expect([...urls]).toEqual([...facts.pages])
    expect(gains.length).toBe(urls.length)
    expect(gains.every((gain) => Number.isFinite(gain) && gain >= 0)).toBe(true)
    for (let i = 0; i < urls.length; i++) expect(why(i)).toMatch(/^\S.{2,}/)
    expect(bidder.bids(facts).gains).toEqual(gains)
  })
})

test('without views those that need them want nothing, and all others something', () => {
  const unseen = factsOn([7, 30, 90].map((days) => ({ clicks: 0, days })))
  const silent = REFRESHERS.filter((one) => !one.bids(unseen).gains.some((gain) => gain > 0))
  const needy = REFRESHERS.filter(needsViews)
  expect(silent).toEqual(needy)
  expect(needy.map(({ name }) => name)).toContain('quality')
})

/** Which pages a policy would fetch first. */
const order = (name: string, facts: Facts) =>
  planFetches([bidsOf(name, facts)], { budget: facts.pages.length }).map(({ url }) => url)
const weekly = (...changes: readonly boolean[]) => changes.map((changed) => ({ days: 7, changed }))

test('uniform takes the oldest copy, whatever it is', () => {
  expect(
    order(
      'uniform',
      factsOn([
        { clicks: 9, days: 1 },
        { clicks: 0, days: 3 },
      ]),
    ),
  ).toEqual([1, 0])
})

test('nutch-adaptive takes what is most overdue by its own interval', () => {
  const facts = factsOn([
    { clicks: 1, days: 14, visits: weekly(false, false) }, // 43 days
    { clicks: 1, days: 14, visits: weekly(true, true) }, // 19 days
    { clicks: 1, days: 14 }, // 30 days
  ])
  expect(order('nutch-adaptive', facts)).toEqual([1, 2, 0])
})

test('uc multiplies the mean gain a day by the age, and knows nothing better than a prior for the rest', () => {
  const facts = factsOn([
    // 0.7 in a week and nothing in two: mean of 0.1 and 0.
    {
      clicks: 1,
      days: 10,
      visits: [
        { days: 7, changed: true, gain: 0.7 },
        { days: 14, changed: false },
      ],
    },
    { clicks: 1, days: 10, visits: weekly(false, true) },
    { clicks: 3, days: 10 },
  ])
  const [known, unchanged, unseen] = bidsOf('uc', facts).gains
  expect(known).toBeCloseTo(0.05 * 10, 9)
  expect(unchanged).toBeCloseTo((0.05 / 2) * 10, 9) // the mean of the pages fetched again
  expect(unseen).toBeCloseTo(unchanged, 9)
  const byViews = bidsOf('uc-views', facts).gains
  expect(byViews[0]).toBeCloseTo(known, 9)
  expect(byViews[2]).toBeCloseTo(3 * byViews[1], 9)
})

test('a page that changes too fast is given up by cho-gm and azar, never by lambdacrawl', () => {
  const fast = {
    clicks: 1,
    days: 7,
    visits: Array.from({ length: 30 }, () => ({ days: 1, changed: true })),
  }
  const calm = { clicks: 1, days: 7, visits: weekly(false, true, false, false) }
  const facts = factsOn([fast, ...Array.from({ length: 20 }, () => calm)], { fetchesPerDay: 0.2 })
  expect(bidsOf('cho-gm', facts).gains[0]).toBe(0)
  expect(bidsOf('azar', facts).gains[0]).toBe(0)
  expect(bidsOf('lambdacrawl', facts).gains[0]).toBeGreaterThan(0)
})

test('quality prefers what is seen, what changes and what has gained', () => {
  const changing = weekly(true, false, true, true)
  const calm = weekly(false, false, false, false)
  const seen = factsOn([
    { clicks: 1, days: 7 },
    { clicks: 5, days: 7 },
  ])
  expect(order('quality', seen)).toEqual([1, 0])
  const changes = factsOn([
    { clicks: 1, days: 7, visits: calm },
    { clicks: 1, days: 7, visits: changing },
  ])
  expect(order('quality', changes)).toEqual([1, 0])
  const paid = (gain: number) =>
    Array.from({ length: 12 }, () => ({ days: 7, changed: true, gain }))
  const gained = factsOn([
    { clicks: 1, days: 7, visits: paid(0) },
    { clicks: 1, days: 7, visits: paid(0.5) },
  ])
  expect(order('quality', gained)).toEqual([1, 0])
})

test('what a trusted sitemap says moves a bid of quality both ways, and says nothing at 1', () => {
  const pages = [1, 2, 3].map(() => ({ clicks: 1, days: 7, visits: weekly(false, true, false) }))
  const claims = { oddsFactors: Float64Array.of(30, 1, 0.05) }
  const [claimed, silent, denied] = bidsOf('quality', factsOn(pages, { claims })).gains
  const [without] = bidsOf('quality', factsOn(pages)).gains
  expect(silent).toBeCloseTo(without, 12)
  expect(claimed).toBeGreaterThan(1.5 * without)
  expect(denied).toBeLessThan(0.2 * without)
})
