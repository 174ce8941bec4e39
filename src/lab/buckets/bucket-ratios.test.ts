import { expect, test } from 'vitest'
import { bucketRatios } from './bucket-ratios.ts'

test('crawls in many buckets are compared with that in the fewest, of the same web and sample', () => {
  const run = (archive: string, sample: number, buckets: number, quality: number) => ({
    ...{
      archive,
      sample,
      buckets,
      quality,
      meanQuality: quality / 2,
      fetches: 10,
      pages: 9,
      stale: 0,
    },
  })
  const runs = [
    ...[run('a', 1, 1, 0.4), run('a', 1, 8, 0.2), run('a', 2, 1, 0.1), run('a', 2, 8, 0.2)],
    ...[run('b', 1, 1, 0.5), run('b', 1, 8, 0.5)],
  ]
  const ratios = bucketRatios(runs, 1)
  expect(ratios.map(({ archive, buckets, crawls }) => [archive, buckets, crawls])).toEqual([
    ...[
      ['a', 8, 2],
      ['b', 8, 1],
      ['all', 8, 3],
    ],
  ])
  for (const { quality, meanQuality } of ratios) {
    expect(quality!.estimate).toBeCloseTo(1, 12) // a half and twice
    expect(meanQuality!.estimate).toBeCloseTo(1, 12)
  }
  expect(ratios[0].quality).toMatchObject({ low: 0.5, high: 2 })
})
