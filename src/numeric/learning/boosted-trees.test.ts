import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { type BoostingOptions, fitBoostedTrees, predictBoostedTrees } from './boosted-trees.ts'
import { tableOf } from './feature-table.test-kit.ts'
import { type FeatureTable, selectRows } from './feature-table.ts'
import { rankCorrelation } from './rank-correlation.ts'

const NAMES = ['steady', 'wavy', 'left factor', 'right factor', 'noise']

/** Random rows, and a function of them with a slope, a wave and a product; the last feature is noise. */
function example(rows: number, seed: number, missing = 0) {
  const random = seededRandom(seed)
  const table = tableOf(
    NAMES,
    Array.from({ length: rows }, () =>
      NAMES.map(() => (random.chance(missing) ? Number.NaN : random.normal())),
    ),
  )
  const [a, b, c, d] = table.columns
  const truth = Float64Array.from({ length: rows }, (_, row) => {
    const product = c[row] * d[row]
    return orZero(a[row]) + Math.sin(2 * orZero(b[row])) + orZero(product)
  })
  return { table, truth, random }
}

const orZero = (value: number) => (Number.isNaN(value) ? 0 : value)
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0)

/** Share of the variance of the truth that predictions explain. */
function explained(predicted: Float64Array, truth: Float64Array): number {
  const mean = sum(truth) / truth.length
  const error = sum(truth.map((value, row) => (value - predicted[row]) ** 2))
  return 1 - error / sum(truth.map((value) => (value - mean) ** 2))
}

const learnAndPredict = (
  table: FeatureTable,
  targets: ArrayLike<number>,
  options?: BoostingOptions,
) => predictBoostedTrees(fitBoostedTrees(table, targets, options), table)

/** Targets of at least 0 with such logarithms. */
const positive = (truth: Float64Array) => truth.map((value) => Math.exp(Math.min(value, 2)))

describe('learning', () => {
  test('a function with noise on it is learnt well enough to predict rows never seen', () => {
    const { table, truth, random } = example(5000, 1)
    const noisy = positive(truth).map((value) => value * (0.5 + random.next()))
    const model = fitBoostedTrees(table, noisy, { trees: 150 })
    const fresh = example(5000, 2)
    const predicted = predictBoostedTrees(model, fresh.table)
    expect(explained(predicted, positive(fresh.truth))).toBeGreaterThan(0.85)
  })

  test('trees that each see another half of the rows predict as well, and are the same every time', () => {
    const { table, truth, random } = example(5000, 1)
    const noisy = positive(truth).map((value) => value * (0.5 + random.next()))
    const fresh = example(5000, 2)
    const [onAll, onHalf, again] = [1, 0.5, 0.5].map((sampled) => {
      const model = fitBoostedTrees(table, noisy, { trees: 100, sampled })
      return { model, predicted: predictBoostedTrees(model, fresh.table) }
    })
    expect(again.model).toEqual(onHalf.model)
    expect(onHalf.model.trees).not.toEqual(onAll.model.trees)
    const [all, half] = [onAll, onHalf].map(({ predicted }) =>
      explained(predicted, positive(fresh.truth)),
    )
    expect(half).toBeGreaterThan(all - 0.02)
    expect(sum(learnAndPredict(table, noisy, { sampled: 0.5 }))).toBeCloseTo(sum(noisy), 3)
  })

  test('gains that are mostly 0 and sometimes large are predicted by their mean', () => {
    const means = (truth: Float64Array) => positive(truth).map((value) => value * 1e-6)
    const { table, truth, random } = example(10_000, 5)
    const gains = means(truth).map((mean) =>
      random.chance(0.1) ? random.exponential(10 * mean) : 0,
    )
    const fresh = example(10_000, 6)
    const options = { trees: 100, leaves: 8 }
    const predicted = predictBoostedTrees(fitBoostedTrees(table, gains, options), fresh.table)
    expect(Math.min(...predicted)).toBeGreaterThan(0)
    expect(rankCorrelation(predicted, fresh.truth)).toBeGreaterThan(0.6)
    expect(sum(predicted) / sum(means(fresh.truth))).toBeGreaterThan(0.75)
    expect(sum(predicted) / sum(means(fresh.truth))).toBeLessThan(1.25)
    expect(sum(learnAndPredict(table, gains, options)) / sum(gains)).toBeCloseTo(1, 9)
  })

  /** Rows in two groups of so many, with a target each. */
  const groups = (counts: readonly number[], targets: readonly number[]) => ({
    table: tableOf(
      ['x'],
      counts.flatMap((count, x) => Array.from({ length: count }, () => [x])),
    ),
    targets: counts.flatMap((count, x) => Array.from({ length: count }, () => targets[x])),
  })

  test('a leaf is pulled to the mean as if more events had been predicted just right, as many as rows say as much', () => {
    const { table, targets } = groups([50, 50], [1, 3])
    const predicted = learnAndPredict(table, targets, { trees: 1, learningRate: 1, l2: 4 })
    // Goals are 0.5 and 1.5, so their variance is a quarter, and four such events are one row.
    expect(Math.log(predicted[99] / predicted[0])).toBeCloseTo(Math.log((75 + 1) / (25 + 1)), 9)
  })

  test('a leaf has rows of some weight; a sample needs its share of that', () => {
    const { table, targets } = groups([20, 80], [1, 3])
    const trees = (minLeafWeight: number, sampled: number) =>
      fitBoostedTrees(table, targets, { trees: 1, minLeafWeight, sampled }).trees.length
    expect([trees(20, 1), trees(21, 1)]).toEqual([1, 0])
    expect([trees(14, 0.5), trees(80, 0.5)]).toEqual([1, 0])
  })

  test('a split saves a billionth per unit of weight, or it only fits rounding errors', () => {
    const trees = (saved: number) => {
      const off = Math.sqrt(2e-9 * saved)
      const { table, targets } = groups([2, 2], [1 - off, 1 + off])
      return fitBoostedTrees(table, targets, { trees: 1, minLeafWeight: 1, l2: 0 }).trees.length
    }
    expect([trees(0.95), trees(1.05)]).toEqual([0, 1])
  })

  test('missing values are learnt from, and do no harm where they tell nothing', () => {
    const { table, truth } = example(4000, 7, 0.3)
    const targets = positive(truth)
    expect(explained(learnAndPredict(table, targets), targets)).toBeGreaterThan(0.8)
    const telling = truth.map((_, row) => (Number.isNaN(table.columns[0][row]) ? 5 : 0))
    expect(explained(learnAndPredict(table, telling), telling)).toBeGreaterThan(0.999)
  })

  test('a value missing only when predicting goes with the larger side', () => {
    const table = tableOf(
      ['x'],
      Array.from({ length: 100 }, (_, row) => [row < 80 ? 1 : 2]),
    )
    const targets = table.columns[0].map((value) => value * 10)
    const model = fitBoostedTrees(table, targets)
    const [one, two, missing] = predictBoostedTrees(model, tableOf(['x'], [[1], [2], [Number.NaN]]))
    expect(missing).toBe(one)
    expect(two).toBeGreaterThan(one + 5)
  })

  test('targets at another scale give the same predictions at that scale', () => {
    const { table, truth } = example(500, 8)
    const gains = truth.map((value) => Math.max(0, value))
    const predicted = learnAndPredict(table, gains, { trees: 20 })
    const small = gains.map((gain) => gain * 2 ** -30)
    const tiny = learnAndPredict(table, small, { trees: 20 })
    for (const row of tiny.keys()) expect(tiny[row] * 2 ** 30).toBeCloseTo(predicted[row], 9)
  })
})

describe('promises', () => {
  test('the same data give the same model', () => {
    const { table, truth } = example(300, 9)
    const model = fitBoostedTrees(table, positive(truth), { trees: 10 })
    expect(fitBoostedTrees(table, positive(truth), { trees: 10 })).toEqual(model)
  })

  test('a model survives JSON', () => {
    const { table, truth } = example(300, 10, 0.2)
    table.columns[0][0] = Infinity
    table.columns[0][1] = -Infinity
    const model = fitBoostedTrees(table, positive(truth), { trees: 10 })
    const restored = JSON.parse(JSON.stringify(model))
    expect(restored).toEqual(model)
    expect(predictBoostedTrees(restored, table)).toEqual(predictBoostedTrees(model, table))
  })

  test('predictions rise with the features that they are to rise with, whatever the data say', () => {
    const { table, truth, random } = example(1500, 11)
    const rising = ['steady', 'wavy', 'noise']
    const targets = truth.map((value) => (value + random.normal() > 0 ? 1 : 0))
    const model = fitBoostedTrees(table, targets, { rising, minLeafWeight: 2, trees: 20 })
    const first = Uint32Array.from({ length: 40 }, (_, row) => row)
    const probes = selectRows(table, first)
    for (const name of rising) {
      let before: Float64Array | undefined
      for (let x = -3; x <= 3; x += 0.2) {
        const column = new Float32Array(probes.rows).fill(x)
        const columns = probes.columns.map((own, i) => (NAMES[i] === name ? column : own))
        const predicted = predictBoostedTrees(model, { ...probes, columns })
        const falls = before?.map((value, row) => value - predicted[row]) ?? []
        expect(Math.max(0, ...falls), `${name} at ${x}`).toBeLessThanOrEqual(1e-12)
        before = predicted
      }
    }
  })

  test('a weight counts as that many rows', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(40), (seed, count) => {
        const random = seededRandom(seed)
        const cell = () => random.pick([0, 1, 2, 3, Number.NaN])
        const weighted = Array.from({ length: count }, () => ({
          values: [cell(), cell()],
          target: random.next(),
          weight: random.below(4),
        }))
        const repeated = weighted.flatMap((row) => Array.from({ length: row.weight }, () => row))
        const tableFor = (all: typeof weighted) =>
          tableOf(
            ['a', 'b'],
            all.map(({ values }) => values),
          )
        const targetsFor = (all: typeof weighted) => all.map(({ target }) => target)
        const options = { trees: 5, leaves: 3, minLeafWeight: 2 }
        const weights = weighted.map(({ weight }) => weight)
        const table = tableFor(weighted)
        const byWeight = learnAndPredict(table, targetsFor(weighted), { ...options, weights })
        const model = fitBoostedTrees(tableFor(repeated), targetsFor(repeated), options)
        const byRepeating = predictBoostedTrees(model, table)
        for (const [row, { weight }] of weighted.entries())
          if (weight > 0) expect(byWeight[row]).toBeCloseTo(byRepeating[row], 6)
      }),
    )
  })
})

describe('edges', () => {
  test('without rows nothing is known: 0', () => {
    const table = tableOf(['x'], [])
    const model = fitBoostedTrees(table, [])
    expect(model.trees).toEqual([])
    expect([...predictBoostedTrees(model, tableOf(['x'], [[1]]))]).toEqual([0])
    expect([...predictBoostedTrees(model, table)]).toEqual([])
  })

  test('constant targets are predicted everywhere, and need no tree', () => {
    const { table } = example(50, 13)
    for (const target of [0, 0.7]) {
      const model = fitBoostedTrees(table, new Float64Array(50).fill(target))
      expect(model.trees).toEqual([])
      expect(JSON.parse(JSON.stringify(model))).toEqual(model)
      for (const value of predictBoostedTrees(model, table)) expect(value).toBeCloseTo(target, 12)
    }
    expect(learnAndPredict(tableOf(['x'], [[1]]), [3])[0]).toBeCloseTo(3, 12)
  })

  test('an option that is undefined has its default', () => {
    const { table, truth } = example(100, 14)
    const targets = positive(truth)
    const model = fitBoostedTrees(table, targets, { trees: undefined })
    expect(model).toEqual(fitBoostedTrees(table, targets))
    expect(model.trees).toHaveLength(100)
  })

  test('what is not said is as the options tell', () => {
    const { table, truth } = example(1500, 15)
    const targets = positive(truth)
    const said = { trees: 100, leaves: 16, learningRate: 0.1, minLeafWeight: 10, l2: 1, sampled: 1 }
    expect(fitBoostedTrees(table, targets)).toEqual(fitBoostedTrees(table, targets, said))
  })

  test('features that are constant, missing or absent leave the mean', () => {
    const targets = [1, 2, 3, 6]
    const useless = tableOf(
      ['same', 'missing'],
      targets.map(() => [7, Number.NaN]),
    )
    const none = tableOf(
      [],
      targets.map(() => []),
    )
    for (const table of [useless, none])
      expect([...learnAndPredict(table, targets, { minLeafWeight: 1 })]).toEqual([3, 3, 3, 3])
  })

  test('targets and weights that make no sense are refused', () => {
    const table = tableOf(['x'], [[1], [2]])
    const refused = (targets: number[], options?: BoostingOptions) =>
      expect(() => fitBoostedTrees(table, targets, options))
    refused([1]).toThrow('2 rows need as many targets (1)')
    refused([1, Number.NaN]).toThrow('row 1: no target: NaN')
    refused([-1, 0]).toThrow('row 0: no target')
    refused([0, 1], { weights: [1, -1] }).toThrow('row 1: no weight')
    refused([0, 1], { rising: ['y'] }).toThrow('no feature "y"')
  })
})
