import { expect, test } from 'vitest'
import { archiveRow as row } from './archive-row.test-kit.ts'
import { ALL_BUDGETS, leftOutBudgets } from './left-out.ts'

/** Shortfalls of one policy on archives a, b and c. */
const on = (policy: string, shortfalls: readonly number[], some = {}) =>
  shortfalls.map((shortfall, i) => row('abc'[i], policy, shortfall, some))

test('on each archive the rival is the split that the other archives would choose', () => {
  const rows = [
    ...on('unified', [0.2, 0.2, 0.2]),
    ...on('split:97/2/1', [0.1, 0.1, 0.8]),
    ...on('split:90/5/5', [0.4, 0.3, 0.3]),
    ...on('split:10/85/5', [0.01, 0.01, 0.01]), // nobody would choose it unseen: it is none of the three
  ]
  const [{ ratio, worst, chosen, budget }] = leftOutBudgets(rows, 1)
  expect(ratio.estimate).toBeCloseTo((2 * 2 * 0.25) ** (1 / 3), 12)
  expect([worst, chosen, budget]).toEqual(['a 2.000', 'split:97/2/1 3', 2])
})

test('several budgets are told together and one by one; the worst page is that of unified', () => {
  const losses = (worstPage: number) => ({
    losses: { worstPage, unknown: 1, unfetched: 0, stale: 0, gone: 0 },
  })
  const rows = [2, 5].flatMap((budget) => [
    row('a', 'unified', 0.1, { budget, ...losses(0.2), discoveryDelay: 3 }),
    row('b', 'unified', 0.1, { budget, ...losses(budget / 10), discoveryDelay: 5 }),
    ...on('split:97/2/1', [0.1, 0.2], { budget, ...losses(0.9), discoveryDelay: 7 }),
    ...on('split:70/20/10', [0.3, 0.3], { budget, discoveryDelay: 2 }),
  ])
  const told = leftOutBudgets(rows, 1)
  expect(told.map(({ budget }) => budget)).toEqual([ALL_BUDGETS, 2, 5])
  expect(told.map(({ worstPage }) => worstPage)).toEqual(['b 0.35', 'a 0.20', 'b 0.50'])
  expect(told[0].ratio.estimate).toBeCloseTo(Math.sqrt(0.5), 12)
  expect([told[0].weeksUnknown, told[0].weeksOfBestSplit]).toEqual([4, 2])
})
