import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { GainsSoFar } from '#learn/gains-so-far.ts'
import { outlookOf } from '#policy/budget/outlook.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { type CrawlLimits, crawl } from './crawl.ts'
import { listFetcher } from './list-fetcher.test-kit.ts'
import { MemoryStore } from './memory-store.ts'
import { type CrawlState, crawlState } from './plan-cycle.ts'
import type { CycleRecord, Fetcher } from './ports.ts'
import { isEnough, leftToGain } from './until-gain.ts'

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
  for (let page = 0; page < 10; page++) state.frontier.add(`https://h${page}.org/`, 'seed', 0, 1)
  const rules = { policy, seed: 1, untilGain }
  const ports = { fetcher: nothing, repository: new MemoryStore(), clock: { now: () => 1 } }
  const records: CycleRecord[] = []
  const end = await crawl(state, rules, ports, limits, new AbortController().signal, {
    cycle: (record) => records.push(record),
  })
  return { end, last: records.at(-1)!, spent: state.spent }
}

/** Teaches what so many fetches gained that were expected to gain so much. */
function learn(gains: GainsSoFar, count: number, gain: number, expected = gain, newUrls = 0): void {
  for (let fetch = 0; fetch < count; fetch++) gains.learn({ expected, gain, newUrls })
}

/** A crawl that gained ten, all of it as expected. */
function tenGained(): CrawlState {
  const state = crawlState(new Frontier())
  learn(state.lessons.gains, 1_000, 0.01)
  return state
}

const WENT_ON = { end: 'budget spent', spent: 8 }

test('a crawl that gained much stops where all that the budget affords would gain little, and says what is left', async () => {
  const { end, last, spent } = await crawlUntil(0.3, tenGained(), expecting(0.2))
  expect({ end, spent }).toEqual({ end: 'little left to gain', spent: 0 })
  expect(last).toMatchObject({ planned: 0, enough: true, left: { fetches: 8 } })
  expect(last.left!.gain).toBeCloseTo((8 * 0.2) / Math.sqrt(1.008), 9)
  expect(last.left!.shareOfGained).toBeCloseTo(0.16 / Math.sqrt(1.008), 9)
})

test.each([
  ['the rest of the budget is worth its share', 0.019, tenGained(), expecting(0.2)],
  ['nothing was gained yet', 0.3, crawlState(new Frontier()), expecting(0.2)],
  ['nobody can tell what is left to gain', 0.3, tenGained(), expecting(0.2, false)],
])('it goes on while %s', async (_, share, state, policy) => {
  expect(await crawlUntil(share, state, policy)).toMatchObject(WENT_ON)
})

test('when it stops does not depend on how many fetches are planned at once', async () => {
  for (const batch of [1, 3, 8, 100]) {
    const limits = { budget: 8, batch }
    const { end, spent } = await crawlUntil(0.3, tenGained(), expecting(0.2), limits)
    expect({ batch, end, spent }).toEqual({ batch, end: 'little left to gain', spent: 0 })
    expect(await crawlUntil(0.019, tenGained(), expecting(0.2), limits)).toMatchObject(WENT_ON)
  }
})

/** A plan whose known URLs are expected to gain so much together. */
const plan = (fetches: number, gain: number) => ({
  fetches: [{ url: 1 }] as never,
  outlook: (affords: number) => ({ fetches: Math.min(affords, fetches), gain }),
})

test('expectations count as far as they came true of late', () => {
  const gains = new GainsSoFar()
  learn(gains, 5_000, 0.01, 0.05)
  expect(leftToGain(plan(100, 5), gains, 100)!.gain).toBeCloseTo(1 / Math.sqrt(1.02), 6)
})

test('URLs that are yet to be found count at the latest pace, as far as the budget goes', () => {
  const [growing, closed] = [new GainsSoFar(), new GainsSoFar()]
  learn(growing, 5_000, 0.01, 0.01, 2)
  learn(closed, 5_000, 0.01, 0.01, 0.5)
  expect(leftToGain(plan(100, 1), growing, 1_000)!.gain).toBeCloseTo(10 / Math.sqrt(1.2), 6)
  expect(leftToGain(plan(100, 1), closed, 1_000)).toMatchObject({ fetches: 200 })
  expect(leftToGain(plan(100, 1), closed, 1_000)!.gain).toBeCloseTo(2 / Math.sqrt(1.04), 6)
})

test('what one expects of as many fetches again as were made counts by the square root of a half', () => {
  const gains = new GainsSoFar()
  learn(gains, 1_000, 0.01)
  expect(leftToGain(plan(1_000, 10), gains, 1_000)!.gain).toBeCloseTo(10 * Math.SQRT1_2, 6)
})

test('a young crawl goes on whatever it expects: its first fetches tell too little', () => {
  const gains = new GainsSoFar()
  learn(gains, 49, 1, 0)
  expect(leftToGain(plan(1, 0), gains, 10)).toBeUndefined()
})

test('where gains are rare and large, what is left is uncertain, and that is a reason to go on', () => {
  const [rare, steady] = [new GainsSoFar(), new GainsSoFar()]
  for (let gain = 0; gain < 10; gain++) {
    learn(rare, 99, 0, 0.01)
    learn(rare, 1, 1, 0.01)
  }
  learn(steady, 1_000, 0.01)
  const [unsure, sure] = [rare, steady].map((gains) => leftToGain(plan(100, 1), gains, 100)!)
  expect(unsure.upTo).toBeGreaterThan(1.4 * sure.upTo)
  expect(isEnough(sure, 10, 0.19)).toBe(true)
  expect(isEnough(unsure, 10, 0.19)).toBe(false)
})
