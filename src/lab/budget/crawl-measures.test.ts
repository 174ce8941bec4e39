import { expect, test } from 'vitest'
import {
  birthDelays,
  massDeletions,
  meanQuality,
  recoveries,
  sharesByTask,
} from './crawl-measures.ts'
import type { CrawlWeek } from './simulate-crawl.ts'
import { NEVER } from './simulated-crawler.ts'
import { pageNamed, smallWorld } from './small-world.test-kit.ts'

const weeksOf = (...pairs: readonly (readonly [before: number, after: number])[]): CrawlWeek[] =>
  pairs.map(([before, after], i) => ({
    week: i + 1,
    before,
    after,
    fetches: { acquire: 2, refresh: 1, discover: i },
    price: undefined,
  }))

test('quality is the mean of just before and just after the fetches; shares are of all fetches', () => {
  const weeks = weeksOf([0.2, 0.4], [0.4, 0.8])
  expect(meanQuality(weeks)).toBeCloseTo(0.45, 12)
  const { acquire, refresh, discover } = sharesByTask(weeks)
  expect([acquire, refresh, discover]).toEqual([4 / 7, 2 / 7, 1 / 7])
})

const always = [{ live: [0, 5] as const, text: ['tea'] }]
const world = smallWorld(
  6,
  {
    a: always,
    b: [{ live: [0, 2], text: ['tea'] }],
    c: [{ live: [1, 5], text: ['tea'] }],
    d: [{ live: [2, 3], text: ['tea'] }],
    ...Object.fromEntries(['e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'].map((name) => [name, always])),
  },
  { tea: 1 },
)

test('pages that nobody finds wait until they go', () => {
  const known = new Int32Array(world.bornAt.length).fill(NEVER)
  const held = known.slice()
  known[pageNamed(world, 'c')] = 3
  expect(birthDelays(world, { knownAt: known, heldAt: held })).toEqual({
    discoveryDelay: (2 + 2) / 2,
    holdingDelay: (5 + 2) / 2,
  })
})

test('a page known before it is there does not wait', () => {
  const early = new Int32Array(world.bornAt.length)
  expect(birthDelays(world, { knownAt: early, heldAt: early }).discoveryDelay).toBe(0)
})

test('a tenth of the pages has to vanish in a week to be a mass deletion', () => {
  expect(massDeletions(world)).toEqual([])
  const four = { live: [0, 1] as const, text: ['tea'] }
  const falling = smallWorld(
    4,
    { a: [{ live: [0, 3], text: ['tea'] }], b: [four], c: [{ live: [0, 3], text: ['tea'] }] },
    { tea: 1 },
  )
  expect(massDeletions(falling)).toEqual([2])
})

test('a crawl has recovered when nine tenths of the quality lost are back', () => {
  const weeks = weeksOf([0.8, 0.8], [0.5, 0.6], [0.6, 0.76], [0.7, 0.78], [0.8, 0.8])
  expect(recoveries([2], weeks)).toMatchObject([{ week: 2, weeks: 3 }])
  expect(recoveries([2], weeks)[0].lost).toBeCloseTo(0.3, 12)
  expect(recoveries([2], weeks)[0].quality).toBeCloseTo(meanQuality(weeks.slice(1)), 12)
  expect(recoveries([2], weeks.slice(0, 3))).toMatchObject([{ weeks: undefined }])
  expect(recoveries([1, 4], weeksOf([0.5, 0.5], [0.5, 0.6], [0.6, 0.6], [0.7, 0.7]))).toEqual([])
})
