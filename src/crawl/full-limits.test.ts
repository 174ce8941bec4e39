import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { cases } from '#numeric/cases.test-kit.ts'
import { newPagesBy } from '#policy/planning/new-pages.test-kit.ts'
import {
  type CrawlRules,
  type CrawlState,
  crawlState,
  fullLimits,
  planCycle,
} from './plan-cycle.ts'

const NOW = 1_790_000_000

/** A crawl with its plan, and what keeps a URL out of one that has these. */
function asked(frontier: Frontier, some: Partial<CrawlRules> = {}) {
  const state = crawlState(frontier)
  const rules = { policy: newPagesBy('bfs', state), seed: 1, ...some }
  const limitsOf = (url: number, planned: readonly number[], budget = 3) =>
    fullLimits(
      state,
      rules,
      planned.map((url) => ({ url })),
      { budget },
      NOW,
      url,
    )
  return { state, rules, limitsOf }
}

test('a shape of addresses that brings nothing new is named once the plan has one of them', () => {
  const frontier = new Frontier()
  const days = Array.from({ length: 40 }, (_, day) =>
    frontier.add(`https://a.example/calendar/${day}`, 'link', 1, 1),
  )
  const { limitsOf } = asked(frontier)
  expect(limitsOf(days[0], [days[1]])).toEqual([])
  for (const day of days) frontier.patterns.record(day, false)
  expect(limitsOf(days[0], [])).toEqual([{ name: 'pattern', most: 0, taken: 0 }])
  for (const _ of days) frontier.patterns.countFetch()
  expect(limitsOf(days[0], [])).toEqual([])
  expect(limitsOf(days[0], [days[1]])).toEqual([{ name: 'pattern', most: 1, taken: 1 }])
})

test('a shape that brings nothing new rests between its fetches, but not where nothing else is left', () => {
  const frontier = new Frontier()
  const days = Array.from({ length: 40 }, (_, day) =>
    frontier.add(`https://a.example/calendar/${day}`, 'link', 1, 1),
  )
  const other = frontier.add('https://a.example/walks', 'link', 1, 1)
  for (const day of days.slice(0, 20)) {
    frontier.patterns.record(day, false)
    frontier.visit(day, { state: 'gone', at: NOW })
  }
  frontier.patterns.record(days[19], false) // just now
  const { state, rules } = asked(frontier)
  const planned = () => planCycle(state, rules, { budget: 5 }, NOW).fetches.map(({ url }) => url)
  expect(planned()).toEqual([other])
  frontier.visit(other, { state: 'page', at: NOW })
  expect(planned()).toEqual([days[20]])
})

test('what is under way counts against caps on pages, but not a copy that is looked at again', () => {
  const frontier = new Frontier()
  const [a, b, c] = ['a', 'b', 'c'].map((path) =>
    frontier.add(`https://a.example/${path}`, 'link', 1, 1),
  )
  const { state, rules, limitsOf } = asked(frontier, { maxPagesPerHost: 2 })
  const plan = () => planCycle(state, rules, { budget: 9 }, NOW).fetches.map(({ url }) => url)
  expect(plan()).toHaveLength(2)
  state.underWay = new Set([a])
  expect(plan()).toEqual([b])
  expect(limitsOf(c, [b])).toMatchObject([{ name: 'maxPagesPerHost', most: 2 }])
  frontier.visit(a, { state: 'page', at: 2, contentKey: 0xabcdefabcdefa })
  expect(plan()).toEqual([b])
})

test('a new host waits for the share that the seed which led to it has earned', () => {
  const frontier = new Frontier()
  frontier.add('https://a.example/', 'link', 1, 1)
  const shop = frontier.add('https://shop.example/', 'seed', 0, 1)
  const portal = frontier.add('https://portal.example/', 'seed', 0, 1)
  for (const url of [shop, portal]) {
    frontier.judge(url, true)
    frontier.visit(url, { state: 'page', at: 2, contentKey: 0xabcdefabcdefa })
  }
  const strangers = [1, 2, 3, 4, 5].map((i) =>
    frontier.add(`https://www.stranger${i}.example/`, 'link', 1, 1, portal),
  )
  const { limitsOf } = asked(frontier)
  const [first, second, third] = strangers
  expect(limitsOf(third, [first, second])).toMatchObject([{ name: 'new hosts', most: 2, taken: 2 }])
  expect(limitsOf(third, [])).toEqual([])
})

test('a site that was never contacted, or whose sitemaps are unread, gets few fetches of a plan', () => {
  const frontier = new Frontier()
  const pages = [0, 1, 2, 3, 4].map((i) => frontier.add(`https://a.example/${i}`, 'link', 1, 1))
  const [url, ...plan] = pages
  const { limitsOf } = asked(frontier)
  const names = (of: number, planned = plan) => limitsOf(of, planned, 100).map(({ name }) => name)
  expect(names(url)).toEqual(['first contact'])
  expect(names(url, plan.slice(1))).toEqual([])
  frontier.visit(plan[0], { state: 'page', at: 2, contentKey: 1 })
  expect(names(url)).toEqual([])
  const map = frontier.add('https://a.example/map.xml', 'robots', 1, 1)
  expect(names(url)).toEqual(['first contact'])
  expect(names(map)).toEqual([])
})

/** A crawl of some hosts and patterns, part of it fetched. */
const someCrawl = fc
  .array(fc.record({ host: fc.nat(4), path: fc.nat(60), isFetched: fc.boolean() }), {
    ...{ minLength: 1, maxLength: 80 },
  })
  .map((pages) => {
    const frontier = new Frontier()
    const seed = frontier.add('https://a0.example/', 'seed', 0, 1)
    frontier.visit(seed, { state: 'page', at: 2, contentKey: 1 })
    for (const { host, path, isFetched } of pages) {
      const url = frontier.add(`https://a${host}.example/day/${path}`, 'link', 1, 1, seed)
      if (!isFetched || frontier.lastVisitOf(url) > 0) continue
      frontier.visit(url, { state: 'page', at: 2, contentKey: url + 2 })
      frontier.patterns.record(url, false)
    }
    return frontier
  })

const someCaps = fc.record(
  {
    ...{ perHost: fc.integer({ min: 1, max: 9 }), perDomain: fc.integer({ min: 1, max: 9 }) },
    maxPagesPerHost: fc.integer({ min: 1, max: 20 }),
    maxPagesPerDomain: fc.integer({ min: 1, max: 20 }),
  },
  { requiredKeys: [] },
)

test('where the budget is enough for all, each URL is either planned or some limit is full for it', () => {
  fc.assert(
    fc.property(someCrawl, someCaps, (frontier, caps) => {
      const { state, rules, limitsOf } = asked(frontier, caps)
      const budget = frontier.size + 1
      const planned = plannedBy(state, rules, budget)
      for (const url of frontier.unfetched(NOW)) {
        const others = planned.filter((other) => other !== url)
        expect(limitsOf(url, others, budget).length === 0).toBe(planned.includes(url))
      }
    }),
    { numRuns: cases(100) },
  )
})

/** What a plan has of URLs that may be sent at once. */
function plannedBy(state: CrawlState, rules: CrawlRules, budget: number): number[] {
  const { fetches, held } = planCycle(state, rules, { budget }, NOW)
  return fetches.map(({ url }) => url).filter((url) => held?.has(url) !== true)
}
