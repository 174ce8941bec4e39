import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { tableOf } from './feature-table.test-kit.ts'
import { fitRegressionTree, predictRegressionTree } from './regression-tree.ts'

function steps(rows: number, noise: number, seed: number) {
  const random = seededRandom(seed)
  const table = tableOf(
    ['x', 'other'],
    Array.from({ length: rows }, () => [random.next(), random.next()]),
  )
  const truth = Float64Array.from(table.columns[0], (x) => (x < 0.3 ? 1 : x < 0.7 ? 5 : 2))
  return { table, truth, targets: truth.map((value) => value + noise * random.normal()) }
}

test('steps are found, and noise between them is pruned away', () => {
  const { table, targets } = steps(3000, 1, 1)
  const model = fitRegressionTree(table, targets)
  expect(model.tree.values.length).toBeLessThan(30)
  const fresh = steps(3000, 0, 2)
  const errorOf = (of: typeof model) =>
    predictRegressionTree(of, fresh.table).reduce(
      (sum, value, row) => sum + (value - fresh.truth[row]) ** 2 / 3000,
      0,
    )
  expect(errorOf(model)).toBeLessThan(0.1)
})

test('pure noise leaves one leaf or few, near the mean of all rows', () => {
  const random = seededRandom(3)
  const { table } = steps(500, 0, 3)
  const targets = Float64Array.from({ length: 500 }, () => random.normal())
  const { tree } = fitRegressionTree(table, targets, 20)
  expect(tree.values.length).toBeLessThanOrEqual(4)
})

test('a leaf grows on two rows, and on fewer only if that is asked for', () => {
  const groups = 60
  const table = tableOf(
    ['x'],
    Array.from({ length: 3 * groups }, (_, row) => [row % groups]),
  )
  const targets = Float64Array.from(table.columns[0], (x) => (17 * x) % groups)
  const leaves = (least?: number) => fitRegressionTree(table, targets, least).tree.values.length
  expect(leaves()).toBe(leaves(2))
  expect(leaves(1)).toBeGreaterThan(leaves())
  expect(leaves(3)).toBeLessThan(leaves())
})

test('leaves hold the means of all their rows, those set aside too', () => {
  const { table, targets } = steps(400, 0.1, 4)
  const model = fitRegressionTree(table, targets)
  const predicted = predictRegressionTree(model, table)
  expect(model.tree.values.length).toBeGreaterThan(2)
  for (const value of model.tree.values) {
    const own = targets.filter((_, row) => predicted[row] === value)
    expect(value).toBeCloseTo(own.reduce((sum, target) => sum + target, 0) / own.length, 9)
  }
})

test('the same rows give the same tree, and it survives JSON', () => {
  const { table, targets } = steps(300, 1, 5)
  const model = fitRegressionTree(table, targets)
  expect(fitRegressionTree(table, targets)).toEqual(model)
  const restored = JSON.parse(JSON.stringify(model))
  expect(predictRegressionTree(restored, table)).toEqual(predictRegressionTree(model, table))
})

test('a missing value goes its own way', () => {
  const random = seededRandom(6)
  const rows = Array.from({ length: 300 }, (_, row) => [row % 3 ? random.next() : Number.NaN])
  const targets = rows.map(([x]) => (Number.isNaN(x) ? 10 : x))
  const model = fitRegressionTree(tableOf(['x'], rows), targets)
  const [missing] = predictRegressionTree(model, tableOf(['x'], [[Number.NaN]]))
  expect(missing).toBeCloseTo(10, 9)
})

test('without rows the tree says 0, and a single row or constant targets say themselves', () => {
  const one = tableOf(['x'], [[1]])
  expect([...predictRegressionTree(fitRegressionTree(tableOf(['x'], []), []), one)]).toEqual([0])
  expect([...predictRegressionTree(fitRegressionTree(one, [7]), one)]).toEqual([7])
  const { table } = steps(50, 0, 7)
  const { tree } = fitRegressionTree(table, new Float64Array(50).fill(3))
  expect(tree).toEqual({ nodes: [], values: [3] })
})
