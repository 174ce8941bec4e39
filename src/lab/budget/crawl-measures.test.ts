import { expect, test } from 'vitest'
import { massDeletions, meanQuality, recoveries } from './crawl-measures.ts'
import { smallWorld } from './small-world.test-kit.ts'

const weeksOf = (...pairs: readonly (readonly [before: number, after: number])[]) =>
  pairs.map(([qualityBefore, qualityAfter], i) => ({
    ...{ week: i + 1, qualityBefore, qualityAfter },
    quality: (qualityBefore + qualityAfter) / 2,
  }))

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

test('a tenth of the pages has to vanish in a week to be a mass deletion', () => {
  expect(massDeletions(world.truth)).toEqual([])
  const four = { live: [0, 1] as const, text: ['tea'] }
  const falling = smallWorld(
    4,
    { a: [{ live: [0, 3], text: ['tea'] }], b: [four], c: [{ live: [0, 3], text: ['tea'] }] },
    { tea: 1 },
  )
  expect(massDeletions(falling.truth)).toEqual([2])
})

test('a crawl has recovered when nine tenths of the quality lost are back', () => {
  const weeks = weeksOf([0.8, 0.8], [0.5, 0.6], [0.6, 0.76], [0.7, 0.78], [0.8, 0.8])
  expect(recoveries([2], weeks)).toMatchObject([{ week: 2, weeks: 3 }])
  expect(recoveries([2], weeks)[0].lost).toBeCloseTo(0.3, 12)
  expect(recoveries([2], weeks)[0].quality).toBeCloseTo(meanQuality(weeks.slice(1)), 12)
  expect(recoveries([2], weeks.slice(0, 3))).toMatchObject([{ weeks: null }])
  expect(recoveries([1, 4], weeksOf([0.5, 0.5], [0.5, 0.6], [0.6, 0.6], [0.7, 0.7]))).toEqual([])
})
