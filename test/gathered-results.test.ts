import { expect, test } from 'vitest'
import { archiveRow } from '#lab/experiments/budget/archive-row.test-kit.ts'
import { gatheredResults } from '../scripts/gathered-results.ts'

const fileOf = (
  archive: string,
  sitemaps: string,
  shortfalls: Readonly<Record<string, number>>,
) => ({
  ...{ experiment: 'budget', seed: 1, sitemaps, leftOut: [] },
  rows: Object.entries(shortfalls).map(([policy, shortfall]) =>
    archiveRow(archive, policy, shortfall),
  ),
})

test('archives that ran one by one are compared as if they had run together, by kind of sitemaps', () => {
  const splits = { 'split:97/2/1': 0.2, 'split:90/5/5': 0.3 }
  const [none, honest] = gatheredResults([
    fileOf('a', 'none', { unified: 0.1, ...splits }),
    fileOf('b', 'none', { unified: 0.4, ...splits }),
    fileOf('a', 'honest', { unified: 0.05 }),
  ])
  expect(none).toMatchObject({
    leftOut: [{ worst: 'b 2.000', chosen: 'split:97/2/1 2' }],
    signals: [{ sitemaps: 'honest', sites: 1, worst: 'a 0.500' }],
  })
  expect(honest).toMatchObject({ sitemaps: 'honest', leftOut: [], rows: [{ archive: 'a' }] })
})

test('results of other experiments, and single files, stay as they are', () => {
  const single = [fileOf('a', 'none', { unified: 0.1 })]
  expect(gatheredResults(single)).toEqual(single)
  const others = [{ experiment: 'refresh' }, { experiment: 'refresh' }]
  expect(gatheredResults(others)).toEqual(others)
})
