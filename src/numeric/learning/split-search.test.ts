import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tableOf } from './feature-table.test-kit.ts'
import type { FeatureTable } from './feature-table.ts'
import { poisson, squared } from './losses.ts'
import { Binner, fitCuts } from './quantile-bins.ts'
import { goesLeft, type Tree } from './tree.ts'
import { TreeGrower } from './tree-grower.ts'

const LOSSES = { squared, poisson }
type LossName = keyof typeof LOSSES
const NAMES = Object.keys(LOSSES) as LossName[]
const value = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant(Number.NaN))
const rowsOf = fc.array(
  fc.record({
    features: fc.tuple(value, value, value),
    target: fc.constantFrom(0, 0.25, 1),
    weight: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 2, maxLength: 20 },
)

interface Small {
  readonly table: FeatureTable
  readonly weights: Float64Array
  readonly gradients: Float64Array
  readonly hessians: Float64Array
}

function small(name: LossName, rows: readonly SmallRow[]): Small {
  const table = tableOf(
    ['a', 'b', 'c'],
    rows.map(({ features }) => features),
  )
  const weights = Float64Array.from(rows, ({ weight }) => weight)
  const gradients = new Float64Array(rows.length)
  const hessians = new Float64Array(rows.length)
  const targets = Float64Array.from(rows, ({ target }) => target)
  LOSSES[name].derive(new Float64Array(rows.length), targets, weights, gradients, hessians)
  return { table, weights, gradients, hessians }
}
interface SmallRow {
  readonly features: [number, number, number]
  readonly target: number
  readonly weight: number
}

function grow(name: LossName, data: Small, leaves: number, minLeafWeight: number): Tree {
  const binned = new Binner(fitCuts(data.table, 255)).bin(data.table)
  const monotone = new Uint8Array(3)
  const rules = { loss: LOSSES[name], l2: 1, minLeafWeight, minGain: 1e-9, monotone }
  const rows = Uint32Array.from({ length: data.table.rows }, (_, row) => row)
  return new TreeGrower(binned, rules, leaves).grow(rows, data)
}

/** What the best of all two-way divisions by a threshold saves, missing values on either side. */
function bestGain(name: LossName, data: Small, minLeafWeight: number): number {
  const loss = LOSSES[name]
  const savedBy = (rows: readonly number[]) => {
    const sum = (values: Float64Array) => rows.reduce((total, row) => total + values[row], 0)
    const [gradient, hessian] = [sum(data.gradients), sum(data.hessians)]
    return loss.saved(gradient, hessian, 1, loss.leafValue(gradient, hessian, 1))
  }
  const weightOf = (rows: readonly number[]) =>
    rows.reduce((total, row) => total + data.weights[row], 0)
  const all = [...data.weights.keys()]
  let best = 0
  for (const column of data.table.columns)
    for (const threshold of [...column, Infinity])
      for (const missingLeft of [true, false]) {
        const isLeft = (row: number) =>
          Number.isNaN(column[row]) ? missingLeft : column[row] <= threshold
        const left = all.filter(isLeft)
        const right = all.filter((row) => !isLeft(row))
        if (weightOf(left) < minLeafWeight || weightOf(right) < minLeafWeight) continue
        best = Math.max(best, savedBy(left) + savedBy(right) - savedBy(all))
      }
  return best
}

test.each(NAMES)('%s: no threshold saves more than the split found', (name) => {
  fc.assert(
    fc.property(rowsOf, fc.integer({ min: 1, max: 5 }), (rows, minLeafWeight) => {
      const data = small(name, rows)
      const [root] = grow(name, data, 2, minLeafWeight).nodes
      expect(root?.gain ?? 0).toBeCloseTo(bestGain(name, data, minLeafWeight), 7)
    }),
  )
})

test.each(NAMES)('%s: leaves hold the values their rows call for', (name) => {
  fc.assert(
    fc.property(rowsOf, fc.integer({ min: 2, max: 8 }), (rows, leaves) => {
      const data = small(name, rows)
      const tree = grow(name, data, leaves, 2)
      const { bins } = new Binner(fitCuts(data.table, 255)).bin(data.table)
      const sums = tree.values.map(() => ({ gradient: 0, hessian: 0, weight: 0 }))
      for (const row of rows.keys()) {
        let at = tree.nodes.length > 0 ? 0 : ~0
        while (at >= 0) {
          const node = tree.nodes[at]
          at = goesLeft(node, bins[node.feature * rows.length + row]) ? node.left : node.right
        }
        sums[~at].gradient += data.gradients[row]
        sums[~at].hessian += data.hessians[row]
        sums[~at].weight += data.weights[row]
      }
      for (const [leaf, { gradient, hessian, weight }] of sums.entries()) {
        expect(tree.values[leaf]).toBeCloseTo(LOSSES[name].leafValue(gradient, hessian, 1), 7)
        if (tree.nodes.length > 0) expect(weight).toBeGreaterThanOrEqual(2)
      }
      expect(tree.values.length).toBe(tree.nodes.length + 1)
      expect(tree.values.length).toBeLessThanOrEqual(leaves)
    }),
  )
})
