import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { gainsOf } from '#learn/apply.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { type Gains, gainsAfter, NO_GAINS, TELLING_FETCHES } from '#learn/gains-so-far.ts'
import { outlookOf } from '#policy/budget/outlook.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { type CrawlLimits, crawl } from './crawl.ts'
import { listFetcher } from './list-fetcher.test-kit.ts'
import { MemoryStore } from './memory-store.ts'
import { type CrawlState, crawlState } from './plan-cycle.ts'
import type { CycleRecord, Fetcher } from './ports.ts'
import { littleLeft, paceOf } from './until-gain.ts'

/** Ten pages that are all gone. */
const nothing: Fetcher = listFetcher(async function* (requests) {
  for (const { id, url } of requests)
    yield { kind: 'gone', id, url, at: 1, ms: 1, status: 404, bytes: 0 }
})

/** Expects as much of every fetch; or so it does without saying in which unit. */
function expecting(quality: number, inQuality = true): Planner {
  return {
    async renew() {},
    plan: ({ candidates, limits }) => {
      const gains = new Float64Array(candidates.length).fill(quality)
      const bids = { purpose: 'acquire' as const, urls: candidates, gains, why: () => '' }
      const outlook = (fetches: number) => outlookOf([bids], fetches)
      return { fetches: planFetches([bids], limits), ...(inQuality && { outlook }) }
    },
  }
}

async function crawlUntil(
  untilGain: number,
  state: CrawlState,
  policy: Planner,
  limits: CrawlLimits = { budget: 8, batch: 2 },
) {
  for (let page = 0; page < 10; page++) state.frontier.add(`https://a.org/${page}`, 'seed', 0, 1)
  const rules = { policy, seed: 1, untilGain }
  const ports = { fetcher: nothing, repository: new MemoryStore(), clock: { now: () => 1 } }
  const records: CycleRecord[] = []
  const end = await crawl(state, rules, ports, limits, new AbortController().signal, {
    cycle: (record) => records.push(record),
  })
  return { end, last: records.at(-1)!, spent: state.spent }
}

/** A crawl of a thousand fetches, the first of which gained all there was. */
const gained = (gain: number) =>
  [
    { fetches: 500, gain, squares: gain ** 2 / 500 },
    { fetches: 500, gain: 0, squares: 0 },
  ].reduce(gainsAfter, NO_GAINS)
const TEN_GAINED = gained(10)

const WENT_ON = { end: 'budget spent', spent: 8 }

test('a crawl that gained much stops at a plan that would gain little, and says what is left', async () => {
  const state = crawlState(new Frontier(), { gains: TEN_GAINED })
  const { end, last, spent } = await crawlUntil(0.05, state, expecting(0.2))
  expect({ end, spent }).toEqual({ end: 'little left to gain', spent: 0 })
  expect(last).toMatchObject({ planned: 0, left: { fetches: 8 } })
  expect(last.left!.gain).toBeCloseTo(8 * 0.2, 9)
})

test.each([
  ['a plan is worth its share', 10, expecting(0.3)],
  ['nothing was gained yet', 0, expecting(0.2)],
  ['nothing is expected of anything, nor was anything gained', 0, expecting(0)],
  ['nobody can tell what is left to gain', 10, expecting(0.2, false)],
])('it goes on while %s', async (_, gain, policy) => {
  const state = crawlState(new Frontier(), { gains: gained(gain) })
  expect(await crawlUntil(0.05, state, policy)).toMatchObject(WENT_ON)
})

test('what the latest fetches gained counts more than low expectations', async () => {
  const gains = gainsAfter(TEN_GAINED, { fetches: 50, gain: 25, squares: 15 })
  const state = crawlState(new Frontier(), { gains })
  expect(await crawlUntil(0.02, state, expecting(0.01))).toMatchObject(WENT_ON)
})

test('the last fetches of a budget are not too few to be worth making', async () => {
  const state = crawlState(new Frontier(), { gains: TEN_GAINED })
  const limits = { budget: 8, batch: 20 }
  expect(await crawlUntil(0.05, state, expecting(0.06), limits)).toMatchObject(WENT_ON)
})

const cycles = fc.array(fc.record({ fetches: fc.nat(30), gain: fc.nat(9), squares: fc.nat(9) }), {
  maxLength: 40,
})
const count = (some: readonly Gains[]) => some.reduce((sum, { fetches }) => sum + fetches, 0)

test('whole cycles tell what fetches gain of late: as few as make enough fetches, the latest', () => {
  fc.assert(
    fc.property(cycles, (some) => {
      const { all, lately } = some.reduce(gainsAfter, NO_GAINS)
      const made = some.filter(({ fetches }) => fetches > 0)
      expect(all.fetches).toBe(count(made))
      expect(lately).toEqual(made.slice(made.length - lately.length))
      expect(count(lately)).toBeGreaterThanOrEqual(Math.min(all.fetches, TELLING_FETCHES))
      expect(count(lately.slice(1))).toBeLessThan(TELLING_FETCHES)
    }),
  )
})

/** A plan of one fetch that is expected to gain nothing. */
const hopeless = { fetches: [{ url: 1 }] as never, outlook: () => ({ fetches: 1, gain: 0 }) }

test('a young crawl goes on whatever it expects: its first fetches tell too little', () => {
  fc.assert(
    fc.property(cycles, fc.double({ min: 0, max: 0.99, noNaN: true }), (some, share) => {
      fc.pre(count(some) <= TELLING_FETCHES)
      const gains = some.reduce(gainsAfter, NO_GAINS)
      const left = littleLeft(hopeless, share, gains, { ahead: 50, affords: 1_000 })
      expect(left).toBeUndefined()
    }),
  )
})

test('a cycle that gained nothing is no reason to stop where few fetches ever gained', () => {
  const nothing = { fetches: 50, gain: 0, squares: 0 }
  const early = (squares: number) => gainsAfter(NO_GAINS, { fetches: 250, gain: 4, squares })
  const [byTwo, byMany] = [4 ** 2 / 2, 4 ** 2 / 100].map((squares) =>
    gainsAfter(early(squares), nothing),
  )
  const left = (gains: typeof byTwo) => littleLeft(hopeless, 0.05, gains, { ahead: 50, affords: 1 })
  expect(left(byTwo)).toBeUndefined()
  expect(left(byMany)).toEqual({ fetches: 1, gain: 0, atLatestPace: paceOf(byMany) })
})

test('a pace lies between that of late and that of the whole crawl', () => {
  fc.assert(
    fc.property(cycles, (some) => {
      const gains = some
        .map((one) => ({ ...one, squares: one.gain ** 2 }))
        .reduce(gainsAfter, NO_GAINS)
      fc.pre(gains.all.gain > 0)
      const mean = gains.all.gain / gains.all.fetches
      const late = gains.lately.reduce((sum, { gain }) => sum + gain, 0) / count(gains.lately)
      expect(paceOf(gains)).toBeGreaterThanOrEqual(Math.min(mean, late) - 1e-9)
      expect(paceOf(gains)).toBeLessThanOrEqual(Math.max(mean, late) + 1e-9)
    }),
  )
})

test('fetches that were not answered say nothing of what fetches gain', () => {
  const outcome = { id: 0, url: 'https://a.org/', at: 1, ms: 1 }
  const gone: FetchOutcome = { ...outcome, kind: 'gone', status: 404, bytes: 0 }
  const failed: FetchOutcome = { ...outcome, kind: 'failed', reason: 'no route', sent: true }
  const gains = [gone, failed].map((outcome) => ({ outcome, realisedGain: 0 }))
  expect(gainsOf(gains)).toEqual({ fetches: 1, gain: 0, squares: 0 })
})
