import { expect, test } from 'vitest'
import { archiveRow as row } from './archive-row.test-kit.ts'
import { type ArchiveRow, compareShortfalls } from './budget-summary.ts'

const resultOf = (rows: readonly ArchiveRow[], name: string, leaveOut?: readonly string[]) =>
  compareShortfalls(rows, 1, leaveOut).find(({ comparison }) => comparison === name)

test('the rival is the best split over the mean of all samples, for each archive and budget', () => {
  const rows = [
    row('a', 'unified', 0.1),
    row('a', 'unified', 0.3, { split: 2 }),
    // The best in one sample only is not the best.
    row('a', 'split:70/20/10', 0.1),
    row('a', 'split:70/20/10', 0.9, { split: 2 }),
    row('a', 'split:50/40/10', 0.4),
    row('a', 'split:50/40/10', 0.4, { split: 2 }),
    row('a', 'split:97/2/1', 0.25),
    row('a', 'split:97/2/1', 0.25, { split: 2 }),
  ]
  const classical = resultOf(rows, 'best classical split')!
  expect(classical.ratio.estimate).toBeCloseTo(0.2 / 0.4, 12)
  expect(classical.archives[0].byBudget[0].rival).toBe('split:50/40/10')
  const all = resultOf(rows, 'best split, 97/2/1 and 90/5/5 included')!
  expect(all.ratio.estimate).toBeCloseTo(0.2 / 0.25, 12)
})

test('two policies are compared by the samples that both ran in', () => {
  const rows = [
    row('a', 'unified', 0.1),
    row('a', 'unified', 0.9, { split: 2 }),
    row('a', 'unified+values', 0.05),
  ]
  expect(resultOf(rows, 'unified+values ÷ unified')!.ratio.estimate).toBeCloseTo(0.5, 12)
})

test('who chooses a split by other samples does not know which was lucky in this one', () => {
  const name = 'the split that other samples would choose'
  const shortfalls = { unified: [0.2, 0.2], 'split:97/2/1': [0.1, 0.3], 'split:90/5/5': [0.3, 0.1] }
  const rows = Object.entries(shortfalls).flatMap(([policy, some]) =>
    some.map((shortfall, i) => row('a', policy, shortfall, { split: i + 1 })),
  )
  const { ratio, archives } = resultOf(rows, name)!
  expect(ratio.estimate).toBeCloseTo(0.4 / 0.6, 12)
  expect(archives[0].byBudget[0].rival).toBe('split:90/5/5, split:97/2/1')
  const other = [1, 2].map((split) => row('a', 'split:80/20/0', 0.05, { split }))
  const all = [...rows, ...other]
  expect(resultOf(all, name)!.ratio.estimate).toBeCloseTo(0.4 / 0.6, 12)
  expect(resultOf(all, 'best of all splits that ran')!.ratio.estimate).toBeCloseTo(4, 12)
  const onlyOne = rows.filter(({ split }) => split === 1)
  expect(resultOf(onlyOne, name)).toBeUndefined()
})

test('who chooses a split by other sites does not know which is best on this one', () => {
  const name = 'the split that other sites would choose'
  const shortfalls = { unified: [0.2, 0.2, 0.2], 'split:97/2/1': [0.1, 0.1, 0.8] }
  const splits = { ...shortfalls, 'split:90/5/5': [0.4, 0.3, 0.3] }
  const rows = Object.entries(splits).flatMap(([policy, some]) =>
    some.map((shortfall, i) => row('abc'[i], policy, shortfall)),
  )
  const { ratio, archives } = resultOf(rows, name)!
  expect(archives.map(({ byBudget }) => byBudget[0].rival)).toEqual([
    ...['split:97/2/1', 'split:97/2/1', 'split:97/2/1'],
  ])
  expect(ratio.estimate).toBeCloseTo((2 * 2 * 0.25) ** (1 / 3), 12)
  expect(
    resultOf(
      rows.filter(({ archive }) => archive === 'a'),
      name,
    ),
  ).toBeUndefined() // nobody else to choose
  const unlike = rows.filter(({ archive, policy }) => archive !== 'b' || policy !== 'split:97/2/1')
  expect(resultOf(unlike, name)!.archives[0].byBudget[0].rival).toBe('split:90/5/5') // not tried on all others
})

test('ratios are geometric means over budgets, then over archives, however many budgets each has', () => {
  const rows = [
    row('a', 'unified', 0.1),
    row('a', 'split:97/2/1', 0.1),
    row('a', 'unified', 0.1, { budget: 5 }),
    row('a', 'split:97/2/1', 0.2, { budget: 5 }),
    row('b', 'unified', 0.3),
    row('b', 'split:97/2/1', 0.2),
  ]
  const { ratio, archives } = resultOf(rows, 'split:97/2/1')!
  expect(archives[0].ratio).toBeCloseTo(Math.sqrt(0.5), 12)
  expect(archives[1].ratio).toBeCloseTo(1.5, 12)
  expect(ratio.estimate).toBeCloseTo(Math.sqrt(Math.sqrt(0.5) * 1.5), 12)
  expect(ratio.low).toBeLessThanOrEqual(ratio.estimate)
})

test('archives that constants were fixed on do not count, nor do other starts and queries', () => {
  const rows = [
    row('a', 'unified', 0.1),
    row('a', 'bfs+uniform', 0.2),
    row('b', 'unified', 0.1),
    row('b', 'bfs+uniform', 0.4),
    row('b', 'unified', 0.4, { queries: 'disjoint' }),
    row('b', 'bfs+uniform', 0.4, { start: 80 }),
  ]
  expect(resultOf(rows, 'bfs+uniform', ['a'])!.ratio.estimate).toBeCloseTo(0.25, 12)
  expect(compareShortfalls(rows, 1).map(({ start, queries }) => [start, queries])).toEqual([
    [20, 'repeated'],
  ])
})

test('a term known is compared with one budget without it', () => {
  const rows = [row('a', 'unified', 0.2), row('a', 'unified+values', 0.1)]
  expect(resultOf(rows, 'unified+values ÷ unified')!.ratio.estimate).toBeCloseTo(0.5, 12)
})
