import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import type { GraphFacts } from '#frontier/graph-facts.ts'
import { transDomainInDegree } from '#importance/trans-domain-in-degree.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { defineBidder } from '#policy/define-bidder.ts'
import { someFacts } from '#policy/facts/facts.ts'
import { graphFacts, variedGraphFacts } from '#policy/facts/graph-facts.test-kit.ts'
import { byInDegree } from '#policy/orders/link-orders.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import { DEFAULT_SELECTIONS, selectionNamed } from './selection.ts'

const options = { clicked: undefined, tieSeed: 1 }

/** Every URL is a candidate, as in the lab. */
const wholeWeb = (facts: GraphFacts): GraphFacts => ({
  ...facts,
  candidates: Uint32Array.from(facts.domains.keys()),
})

const URLS = 15
const url = fc.integer({ min: 0, max: URLS - 1 })
const web = fc
  .array(fc.tuple(url, url), { maxLength: 60 })
  .map((edges) => wholeWeb(graphFacts(URLS, edges)))

for (const [kind, facts] of Object.entries(variedGraphFacts())) {
  test(`with ${kind}: each default selection gives distinct candidates, the same ones again`, () => {
    const given = { clicked: facts.candidates.slice(0, 3), tieSeed: 7 }
    for (const name of DEFAULT_SELECTIONS) {
      const size = Math.ceil(facts.candidates.length / 2)
      const selected = selectionNamed(name).on(facts, given).select(size)
      expect(new Set(selected).size).toBe(selected.length)
      expect(selected.length).toBeLessThanOrEqual(size)
      expect(selected.every((url) => facts.candidates.includes(url))).toBe(true)
      const again = selectionNamed(name)
        .on({ ...facts }, given)
        .select(size)
      expect([...again]).toEqual([...selected])
    }
  })
}

test('without a union or limit it is what the scheduler would plan, random order included', () => {
  fc.assert(
    fc.property(web, fc.nat(99), fc.nat(20), (facts, tieSeed, size) => {
      const plan = planFetches([byInDegree.bids(someFacts(facts))], { budget: size, tieSeed })
      const selected = selectionNamed('indegree')
        .on(facts, { ...options, tieSeed })
        .select(size)
      expect([...selected]).toEqual(plan.map(({ url }) => url))
    }),
  )
})

test('breadth-first goes as the base crawl went, then in the order of discovery', () => {
  const facts = wholeWeb(graphFacts(6, [], { visits: Uint32Array.of(3, 1) }))
  const select = (given: GraphFacts) => [...selectionNamed('bfs').on(given, options).select(9)]
  expect(select(facts)).toEqual([3, 1, 0, 2, 4, 5])
  expect(select({ ...facts, candidates: Uint32Array.of(1, 2, 4) })).toEqual([1, 2, 4])
})

test('a union is all URLs with enough trans-domain links and the best others that fit', () => {
  fc.assert(
    fc.property(web, fc.integer({ min: 1, max: 4 }), (facts, cutoff) => {
      const degrees = transDomainInDegree(facts.links, facts.domains)
      const order = [...selectionNamed('pagerank').on(facts, options).select(URLS)]
      const linked = order.filter((url) => degrees[url] >= cutoff)
      const union = selectionNamed(`pagerank+td${cutoff}`).on(facts, options)
      for (let best = 0; best <= URLS; best++) {
        const naive = new Set([...order.slice(0, best), ...linked])
        expect(new Set(union.select(naive.size))).toEqual(naive)
      }
      expect([...union.select(linked.length)]).toEqual(linked)
    }),
  )
})

const byNumber = (name: string) =>
  defineBidder({
    name,
    task: 'acquire',
    needs: ['candidates'],
    bids: ({ candidates }) => ({
      urls: candidates,
      gains: Float64Array.from(candidates, (url) => 1 / (1 + url)),
    }),
  })
const withLow = REGISTRY.with([byNumber('low')])

/** Domain 0 holds URLs 0 to 3; 4 and 5 are domains of their own. */
const crowd = wholeWeb(
  // biome-ignore format: one graph
  graphFacts(6, [[4, 0], [5, 0], [4, 1], [5, 1], [0, 2], [1, 2], [0, 3], [0, 4], [0, 5]], {
    domains: Uint32Array.of(0, 0, 0, 0, 1, 2),
  }),
)

test.each([
  ['static-1', 4, [0]],
  ['static-2', 4, [0, 1]],
  ['static-1', 6, [0, 4, 5]],
  ['static-1-refill', 2, [0, 4]],
  ['static-2-refill', 3, [0, 1, 4]],
  ['static-2-refill', 9, [0, 1, 4, 5]],
  // Two domains link to domain 0, one each to the others.
  ['domains-score-1', 6, [0, 1, 4, 5]],
  ['domains-score-1', 3, [0, 1]],
  ['domains-score-0.1', 6, [0, 4, 5]],
  ['domains-score-1.5', 6, [0, 1, 2, 4, 5]],
  ['domains-rank-0.0003', 6, [0, 1, 2, 4, 5]],
  // URLs 0, 1, 4 and 5 are linked from other domains; 2, 2 again and 4 are clicked.
  ['entries-score-1', 6, [0, 1, 2, 4, 5]],
  ['entries-score-1-refill', 4, [0, 1, 2, 4]],
  ['entries-rank-0.0002', 6, [0, 1, 4, 5]],
  ['clicks-score-1', 6, [0, 4, 5]],
  ['clicks-score-2', 6, [0, 1, 4, 5]],
  ['clicks-rank-0.0004', 6, [0, 1, 2, 3, 4, 5]],
])('@%s keeps of the best %i', (limit, size, expected) => {
  const given = { clicked: Uint32Array.of(2, 2, 4), tieSeed: 1 }
  const recipe = selectionNamed(`low@${limit}`, withLow)
  expect([...recipe.on(crowd, given).select(size)]).toEqual(expected)
})

test('entry points by links do without clicks; clicked entry points do not', () => {
  const byLinks = selectionNamed('low@entries-score-1', withLow).on(crowd, options)
  expect([...byLinks.select(6)]).toEqual([0, 1, 4, 5])
  const byClicks = selectionNamed('pagerank@clicks-rank-1')
  expect(byClicks.needsClicks).toBe(true)
  expect(() => byClicks.on(crowd, options)).toThrow(SettingError)
  expect(() => byClicks.on(crowd, options)).toThrow('"pagerank@clicks-rank-1" needs clicks')
})

test("a user's policy takes part in unions and limits, and goes before a namesake", () => {
  const select = (name: string) => [
    ...selectionNamed(name, withLow.with([byNumber('random')]))
      .on(crowd, options)
      .select(6),
  ]
  expect(select('low')).toEqual([0, 1, 2, 3, 4, 5])
  expect(select('random')).toEqual([0, 1, 2, 3, 4, 5])
  expect(select('low+td1')).toEqual([0, 1, 4, 5, 2, 3])
  expect(select('low+td2@static-1')).toEqual([0, 4, 5])
  expect(select('low+td1@static-3')).toEqual([0, 1, 4, 5, 2])
})

test.each([
  [[0], [Number.NaN], 'bids NaN for URL 0; a gain is a finite number of at least 0'],
  [[0], [-1], 'bids -1 for URL 0'],
  [[0, 0], [1, 1], 'bids for URL 0, which is no candidate or has a bid already'],
  [[99], [1], 'bids for URL 99'],
  [[0, 1], [1], 'makes bids for 2 URLs with 1 gains'],
])("a user's policy that bids for %j with gains %j is refused", (urls, gains, message) => {
  const broken = defineBidder({
    name: 'broken',
    task: 'acquire',
    needs: ['candidates'],
    bids: () => ({ urls: Uint32Array.from(urls), gains: Float64Array.from(gains) }),
  })
  const recipe = selectionNamed('broken', REGISTRY.with([broken]))
  expect(() => recipe.on(crowd, options)).toThrow(SettingError)
  expect(() => recipe.on(crowd, options)).toThrow(`policy "broken" ${message}`)
})

test('equal scores come in random order, another for another seed', () => {
  const flat = graphFacts(50, [])
  const select = (tieSeed: number) => [
    ...selectionNamed('indegree')
      .on(flat, { ...options, tieSeed })
      .select(20),
  ]
  expect(select(2)).not.toEqual(select(1))
  expect(select(2)).toEqual(select(2))
})
