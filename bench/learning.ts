import { fitBoostedTrees, predictBoostedTrees } from '#numeric/learning/boosted-trees.ts'
import type { FeatureTable } from '#numeric/learning/feature-table.ts'
import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import { type Random, seededRandom } from '#numeric/random.ts'
import { benchmark } from './harness/benchmark.ts'
import { measure, rounded } from './harness/cost.ts'

/** CPU seconds that the default sizes may take; no library at hand to compare with. */
const LIMITS = { train: 6, predict: 10 }

export default benchmark({
  about:
    'Learns gains from made-up features by boosted trees, then predicts those of a large frontier',
  flags: {
    rows: 100_000,
    features: 20,
    trees: 100,
    leaves: 32,
    bins: 64,
    frontier: 2_000_000,
    seed: 7,
  },
  async run({ rows, features, trees, leaves, bins, frontier, seed }) {
    const random = seededRandom(seed)
    const known = madeUpTable(rows, features, random)
    const means = meanGains(known)
    const gains = means.map((mean) => (random.chance(0.1) ? random.exponential(10 * mean) : 0))
    const { cost: trained, result: model } = await measure('train', () =>
      fitBoostedTrees(known, gains, { trees, leaves, bins }),
    )
    const train = {
      ...trained,
      rowsPerCpuSecond: Math.round((rows * trees) / trained.cpuSeconds),
      withinLimit: trained.cpuSeconds <= LIMITS.train,
    }
    const unknown = madeUpTable(frontier, features, random)
    const { cost, result } = await measure('predict', () => predictBoostedTrees(model, unknown))
    const rowsPerCpuSecond = Math.round(frontier / cost.cpuSeconds)
    const withinLimit = cost.cpuSeconds <= LIMITS.predict
    return {
      sizes: { rows, features, trees: model.trees.length, leaves, bins, frontier },
      train,
      predict: { ...cost, rowsPerCpuSecond, withinLimit },
      /** Of predicted and true mean gains over the first rows of the frontier. */
      rankCorrelation: rounded(
        rankCorrelation(result.subarray(0, 10_000), meanGains(unknown, 10_000)),
      ),
      limitCpuSeconds: LIMITS,
      peakMB: cost.peakRssMb,
    }
  },
})

/** Every third feature is mostly 0, and some values are missing, as in a frontier. */
function madeUpTable(rows: number, features: number, random: Random): FeatureTable {
  const columns = Array.from({ length: features }, (_, feature) => {
    const column = new Float32Array(rows)
    for (let row = 0; row < rows; row++)
      column[row] = feature % 3 === 2 && random.chance(0.7) ? 0 : random.normal()
    for (let row = feature; row < rows; row += 20) column[row] = Number.NaN
    return column
  })
  return { names: columns.map((_, feature) => `feature ${feature}`), columns, rows }
}

/** A slope, a wave and a product. */
function meanGains({ columns, rows }: FeatureTable, first = rows): Float64Array {
  const at = (feature: number, row: number) => columns[feature % columns.length][row] || 0
  return Float64Array.from({ length: first }, (_, row) =>
    Math.exp(Math.min(3, at(0, row) + Math.sin(2 * at(1, row)) + at(3, row) * at(4, row))),
  )
}
