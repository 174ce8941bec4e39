import { expect, test } from 'vitest'
import { betterOf, chosenByOthers, pooledBins } from './left-out.ts'
import { budgetSteps, type SiteRevisits, waitingRatios } from './waiting-ratios.ts'

const row = (archive: string, policy: string, budget: number, weeks: number): SiteRevisits => ({
  ...{ archive, policy, budget, spending: 'weekly', fetched: 10, born: 10, found: 9 },
  ...{ foundAtOnce: 1, delay: 1, waiting: 10 * (weeks - 0.1) },
})

const rows = [
  ...[row('a', 'old', 1, 8), row('a', 'old', 2, 4), row('b', 'old', 1, 2), row('b', 'old', 2, 2)],
  ...[row('a', 'new', 1, 2), row('a', 'new', 2, 1), row('b', 'new', 1, 4), row('b', 'new', 2, 4)],
]

test('ratios are geometric means over sites, of the mean over budgets; the worst site is named', () => {
  const [all, first] = waitingRatios(rows, ['old'], 1)
  expect(all).toMatchObject({ policy: 'new', against: 'old', budget: 0, worstSite: 'b' })
  expect(all.ratio.estimate).toBeCloseTo(Math.sqrt(0.25 * 2), 9)
  expect(all.worst).toBeCloseTo(2, 9)
  expect(all).toMatchObject({ found: 36, foundAgainst: 36 })
  expect(first.budget).toBe(1)
  expect(first.ratio.estimate).toBeCloseTo(Math.sqrt(0.25 * 2), 9)
})

test('budgets that nobody is judged by, and fetches spread by recrawls, do not count', () => {
  const more = [
    row('a', 'old', 1000, 1),
    { ...row('a', 'old', 1, 1), spending: 'recrawls' as const },
  ]
  expect(waitingRatios([...rows, ...more], ['old'], 1)).toEqual(waitingRatios(rows, ['old'], 1))
})

test('more revisits are compared with fewer', () => {
  const steps = budgetSteps(rows, 1)
  expect(steps[0]).toMatchObject({ policy: 'old', from: 1, to: 2, worstSite: 'b' })
  expect(steps[0].ratio.estimate).toBeCloseTo(Math.sqrt(0.5 * 1), 9)
})

test('a site takes the optimism by which the others showed as much as was expected', () => {
  const tried = (policy: string, biases: readonly number[]) =>
    biases.map((bias, i) => ({ ...row('abc'[i], policy, 1, i + 1), expected: 9 * bias }))
  const trials = [...tried('share-1', [1, 0.5, 0.5]), ...tried('share-2', [4, 1.2, 0.9])]
  const told = [...rows.map((one) => ({ ...one, expected: 0 })), ...trials]
  const chosen = chosenByOthers(told)
  const expectedOn = (archive: string) =>
    chosen.find((one) => one.archive === archive && one.policy === 'share')!.expected / 9
  expect(['a', 'b', 'c'].map(expectedOn)).toEqual([4, 0.5, 0.5])
  expect(chosen.some(({ policy }) => policy.startsWith('share-'))).toBe(false)
  expect(chosen.length).toBe(rows.length + 3)
})

test('the better of two is chosen site by site', () => {
  const better = betterOf(rows, ['old', 'new'], 'better')
  expect(better.map(({ archive, waiting }) => [archive, waiting / 10 + 0.1])).toEqual(
    [
      ['a', 2],
      ['a', 1],
      ['b', 2],
      ['b', 2],
    ].map(([name, weeks]) => [name, expect.closeTo(weeks as number, 9)]),
  )
})

test('bins of several sites are added up, the smallest first', () => {
  const bin = (from: number) => ({ from, revisits: 2, expected: from, found: 1 })
  expect(pooledBins([bin(4), bin(1), bin(4)])).toEqual([
    { from: 1, revisits: 2, expected: 1, found: 1 },
    { from: 4, revisits: 4, expected: 8, found: 2 },
  ])
})
