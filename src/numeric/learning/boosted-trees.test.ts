import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { type BoostingOptions, fitBoostedTrees, predictBoostedTrees } from './boosted-trees.ts'
import { calibrationGroups } from './calibration.ts'
import { tableOf } from './feature-table.test-kit.ts'
import { type FeatureTable, selectRows } from './feature-table.ts'
import type { LossName } from './losses.ts'
import { rankCorrelation } from './rank-correlation.ts'

const LOSSES: readonly LossName[] = ['squared', 'logistic', 'poisson']
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
  options: BoostingOptions,
) => predictBoostedTrees(fitBoostedTrees(table, targets, options), table)

describe('learning', () => {
  test('a function with noise on it is learnt well enough to predict rows never seen', () => {
    const { table, truth, random } = example(5000, 1)
    const model = fitBoostedTrees(
      table,
      truth.map((value) => value + 0.5 * random.normal()),
      { loss: 'squared', trees: 150 },
    )
    const fresh = example(5000, 2)
    expect(explained(predictBoostedTrees(model, fresh.table), fresh.truth)).toBeGreaterThan(0.85)
  })

  test('probabilities are right, not only in order', () => {
    const chances = (truth: Float64Array) => truth.map((value) => 1 / (1 + Math.exp(1 - value)))
    const { table, truth, random } = example(8000, 3)
    const outcomes = chances(truth).map((chance) => Number(random.chance(chance)))
    const model = fitBoostedTrees(table, outcomes, { loss: 'logistic', trees: 60, leaves: 8 })
    const fresh = example(20_000, 4)
    const predicted = predictBoostedTrees(model, fresh.table)
    expect(explained(predicted, chances(fresh.truth))).toBeGreaterThan(0.75)
    for (const group of calibrationGroups(predicted, chances(fresh.truth)))
      expect(Math.abs(group.predicted - group.realised)).toBeLessThan(0.08)
  })

  test('gains that are mostly 0 and sometimes large are predicted by their mean', () => {
    const means = (truth: Float64Array) => truth.map((value) => Math.exp(Math.min(value, 2)) * 1e-6)
    const { table, truth, random } = example(10_000, 5)
    const gains = means(truth).map((mean) =>
      random.chance(0.1) ? random.exponential(10 * mean) : 0,
    )
    const fresh = example(10_000, 6)
    const options = { loss: 'poisson', trees: 100, leaves: 8 } as const
    const predicted = predictBoostedTrees(fitBoostedTrees(table, gains, options), fresh.table)
    expect(Math.min(...predicted)).toBeGreaterThan(0)
    expect(rankCorrelation(predicted, fresh.truth)).toBeGreaterThan(0.6)
    expect(sum(predicted) / sum(means(fresh.truth))).toBeGreaterThan(0.75)
    expect(sum(predicted) / sum(means(fresh.truth))).toBeLessThan(1.25)
    expect(sum(learnAndPredict(table, gains, options)) / sum(gains)).toBeCloseTo(1, 9)
  })

  test('missing values are learnt from, and do no harm where they tell nothing', () => {
    const { table, truth } = example(4000, 7, 0.3)
    expect(explained(learnAndPredict(table, truth, { loss: 'squared' }), truth)).toBeGreaterThan(
      0.8,
    )
    const telling = truth.map((_, row) => (Number.isNaN(table.columns[0][row]) ? 5 : 0))
    expect(
      explained(learnAndPredict(table, telling, { loss: 'squared' }), telling),
    ).toBeGreaterThan(0.999)
  })

  test('a value missing only when predicting goes with the larger side', () => {
    const table = tableOf(
      ['x'],
      Array.from({ length: 100 }, (_, row) => [row < 80 ? 1 : 2]),
    )
    const targets = table.columns[0].map((value) => value * 10)
    const model = fitBoostedTrees(table, targets, { loss: 'squared' })
    const [one, two, missing] = predictBoostedTrees(model, tableOf(['x'], [[1], [2], [Number.NaN]]))
    expect(missing).toBe(one)
    expect(two).toBeGreaterThan(one + 5)
  })

  test('targets at another scale give the same predictions at that scale', () => {
    const { table, truth } = example(500, 8)
    const gains = truth.map((value) => Math.max(0, value))
    for (const loss of ['squared', 'poisson'] as const) {
      const predicted = learnAndPredict(table, gains, { loss, trees: 20 })
      const tiny = learnAndPredict(
        table,
        gains.map((gain) => gain * 2 ** -30),
        { loss, trees: 20 },
      )
      for (const row of tiny.keys()) expect(tiny[row] * 2 ** 30).toBeCloseTo(predicted[row], 9)
    }
  })
})

describe('promises', () => {
  test('the same data give the same model', () => {
    const { table, truth } = example(300, 9)
    const model = fitBoostedTrees(table, truth, { loss: 'squared', trees: 10 })
    expect(fitBoostedTrees(table, truth, { loss: 'squared', trees: 10 })).toEqual(model)
  })

  test('a model survives JSON', () => {
    const { table, truth } = example(300, 10, 0.2)
    table.columns[0][0] = Infinity
    table.columns[0][1] = -Infinity
    const model = fitBoostedTrees(table, truth, { loss: 'squared', trees: 10 })
    const restored = JSON.parse(JSON.stringify(model))
    expect(restored).toEqual(model)
    expect(predictBoostedTrees(restored, table)).toEqual(predictBoostedTrees(model, table))
  })

  test('monotone features are obeyed, whatever the data say', () => {
    const { table, truth, random } = example(1500, 11)
    const monotone = { steady: 'rising', wavy: 'rising', noise: 'falling' } as const
    for (const loss of LOSSES) {
      const targets = truth.map((value) => (value + random.normal() > 0 ? 1 : 0))
      const model = fitBoostedTrees(table, targets, { loss, monotone, minLeafWeight: 2, trees: 20 })
      const probes = selectRows(
        table,
        Uint32Array.from({ length: 40 }, (_, row) => row),
      )
      for (const [name, direction] of Object.entries(monotone)) {
        let before: Float64Array | undefined
        for (let x = -3; x <= 3; x += 0.2) {
          const column = new Float32Array(probes.rows).fill(x)
          const columns = probes.columns.map((own, i) => (NAMES[i] === name ? column : own))
          const predicted = predictBoostedTrees(model, { ...probes, columns })
          const steps = before?.map((value, row) => predicted[row] - value) ?? []
          const wrong = [...steps].filter((step) => (direction === 'rising' ? -step : step) > 1e-12)
          expect(wrong, `${loss} ${name} at ${x}`).toEqual([])
          before = predicted
        }
      }
    }
  })

  test('a weight counts as that many rows', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(40), fc.constantFrom(...LOSSES), (seed, count, loss) => {
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
        const options = { loss, trees: 5, leaves: 3, minLeafWeight: 2 }
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
  test('without rows nothing is known: 0, or even odds', () => {
    const table = tableOf(['x'], [])
    const one = tableOf(['x'], [[1]])
    for (const loss of LOSSES) {
      const model = fitBoostedTrees(table, [], { loss })
      expect(model.trees).toEqual([])
      expect([...predictBoostedTrees(model, one)]).toEqual([loss === 'logistic' ? 0.5 : 0])
      expect([...predictBoostedTrees(model, table)]).toEqual([])
    }
  })

  test('a single row predicts itself, but one success is no certainty', () => {
    const table = tableOf(['x'], [[1]])
    for (const loss of LOSSES)
      expect(learnAndPredict(table, [1], { loss })[0]).toBeCloseTo(
        loss === 'logistic' ? 0.75 : 1,
        12,
      )
  })

  test('constant targets are predicted everywhere, and need no tree', () => {
    const { table } = example(50, 13)
    for (const [loss, target] of [
      ['squared', 0.1],
      ['squared', -3],
      ['poisson', 0],
      ['poisson', 0.7],
    ] as const) {
      const model = fitBoostedTrees(table, new Float64Array(50).fill(target), { loss })
      expect(model.trees).toEqual([])
      expect(JSON.parse(JSON.stringify(model))).toEqual(model)
      for (const value of predictBoostedTrees(model, table)) expect(value).toBeCloseTo(target, 12)
    }
  })

  test('an option that is undefined has its default', () => {
    const { table, truth } = example(100, 14)
    const model = fitBoostedTrees(table, truth, { loss: 'squared', trees: undefined })
    expect(model).toEqual(fitBoostedTrees(table, truth, { loss: 'squared' }))
    expect(model.trees).toHaveLength(100)
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
      expect([...learnAndPredict(table, targets, { loss: 'squared', minLeafWeight: 1 })]).toEqual([
        3, 3, 3, 3,
      ])
  })

  test('targets and weights that make no sense are refused', () => {
    const table = tableOf(['x'], [[1], [2]])
    const refused = (targets: number[], options: BoostingOptions) =>
      expect(() => fitBoostedTrees(table, targets, options))
    refused([1], { loss: 'squared' }).toThrow('2 rows need as many targets (1)')
    refused([1, Number.NaN], { loss: 'squared' }).toThrow('row 1: no target for squared loss: NaN')
    refused([-1, 0], { loss: 'poisson' }).toThrow('row 0: no target')
    refused([0, 2], { loss: 'logistic' }).toThrow('row 1: no target')
    refused([0, 1], { loss: 'squared', weights: [1, -1] }).toThrow('row 1: no weight')
    refused([0, 1], { loss: 'squared', monotone: { y: 'rising' } }).toThrow('no feature "y"')
  })
})
