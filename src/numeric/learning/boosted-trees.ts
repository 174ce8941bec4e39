import { mixHash } from '../hash.ts'
import { type FeatureTable, mustHaveFeatures } from './feature-table.ts'
import { emptyPull } from './histogram.ts'
import { momentsOf, poisson } from './losses.ts'
import { type BinnedTable, Binner, type Cuts, fitCuts } from './quantile-bins.ts'
import { addLeafValues, flatTree, type Tree } from './tree.ts'
import { TreeGrower } from './tree-grower.ts'

/** The exponential of a sum of small trees, as plain data: it survives JSON unchanged. */
export interface BoostedTrees {
  readonly names: readonly string[]
  readonly cuts: readonly Cuts[]
  /** What to multiply the exponential by, so that the mean of predictions is right. */
  readonly scale: number
  readonly trees: readonly Tree[]
}

export interface BoostingOptions {
  /** A row of weight 2 counts as two rows, so shares that sum to 1 must be scaled up. Absent: 1 each. */
  readonly weights?: ArrayLike<number>
  /** At most so many. */
  readonly trees?: number
  /** Leaves of a tree, at most 32. */
  readonly leaves?: number
  readonly learningRate?: number
  /** Least weight of rows in a leaf. */
  readonly minLeafWeight?: number
  /** Pulls leaves to 0 as if so many more events had been predicted just right. */
  readonly l2?: number
  /** Bins per feature, 2 to 255. */
  readonly bins?: number
  /** Features with which predictions may only rise. */
  readonly rising?: readonly string[]
  /** Each tree grows on a sample of so large a share of the rows, another one each; on all if left out. */
  readonly sampled?: number
  /** By row, what it is sampled by: the same rows make the same samples in any order. Its place if left out. */
  readonly keys?: ArrayLike<number>
}

/** Splits that save less, per unit of weight and in multiples of the mean target, only fit rounding errors. */
const LEAST_GAIN = 1e-9
/** Rows predicted at a time, so that their bins stay in the cache. */
const BLOCK = 4096

/** Learns to predict targets of at least 0, such as gains, by gradient boosting over histograms. */
export function fitBoostedTrees(
  table: FeatureTable,
  targets: ArrayLike<number>,
  options: BoostingOptions = {},
): BoostedTrees {
  const { bins = 64, rising = [] } = options
  const weights = Float64Array.from(options.weights ?? new Float64Array(table.rows).fill(1))
  checkTargets(table, targets, weights)
  const { mean, deviation } = momentsOf(targets, weights)
  const cuts = fitCuts(table, bins)
  const task: Task = {
    table: new Binner(cuts).bin(table),
    goals: Float64Array.from(targets, (target) => target / mean),
    weights,
    dispersion: (deviation / mean) ** 2,
    monotone: risingFeatures(table.names, rising),
  }
  const { trees, balance } = mean > 0 ? boost(task, options) : { trees: [], balance: 1 }
  return { names: [...table.names], cuts, scale: mean * balance, trees }
}

/** What is to be learnt, in the form that trees grow on. */
interface Task {
  readonly table: BinnedTable
  /** Targets in multiples of their mean. */
  readonly goals: Float64Array
  readonly weights: Float64Array
  /** Variance of a goal: how many rows say as much as one event. */
  readonly dispersion: number
  readonly monotone: Uint8Array
}

interface Boosted {
  readonly trees: Tree[]
  /** What to multiply predictions by, so that their mean is right. */
  readonly balance: number
}

/**
 * Each tree is fitted to what the trees before it left over.
 *
 * @paper Friedman2002 — where a share of the rows is sampled: without replacement, by hash.
 */
function boost(
  { table, goals, weights, dispersion, monotone }: Task,
  {
    trees: most = 100,
    leaves = 16,
    learningRate = 0.1,
    minLeafWeight = 10,
    l2 = 1,
    sampled = 1,
    keys,
  }: BoostingOptions,
): Boosted {
  const minGain = LEAST_GAIN * weights.reduce((sum, weight) => sum + weight, 0)
  // A sample stands for all rows with its share of their weight.
  const ofSample = { l2: sampled * l2 * dispersion, minLeafWeight: sampled * minLeafWeight }
  const rules = { loss: poisson, ...ofSample, minGain: sampled * minGain, monotone }
  const grower = new TreeGrower(table, rules, leaves)
  const pull = { ...emptyPull(table.rows), weights }
  const raw = new Float64Array(table.rows)
  const reachable = new Int32Array(table.rows)
  const rows = new Uint32Array(table.rows)
  const trees: Tree[] = []
  for (let round = 0; round < most; round++) {
    poisson.derive(raw, goals, weights, pull.gradients, pull.hessians)
    const tree = scaled(grower.grow(sampleOfRows(round, sampled, rows, keys), pull), learningRate)
    // From here on every tree would be empty.
    if (tree.nodes.length === 0) break
    trees.push(tree)
    addLeafValues(flatTree(tree, table.valueBins), table, raw, reachable)
  }
  return { trees, balance: balanceOf(raw, goals, weights) }
}

/** Rows that a tree grows on, ascending, put into `room` for all. */
function sampleOfRows(
  round: number,
  share: number,
  room: Uint32Array,
  keys?: ArrayLike<number>,
): Uint32Array {
  let count = 0
  for (let row = 0; row < room.length; row++)
    if (mixHash(round, keys?.[row] ?? row) < share * 0x1_0000_0000) room[count++] = row
  return room.subarray(0, count)
}

/** Small steps in the logarithm, each a part of the way, fall short of the mean they aim at. */
function balanceOf(raw: Float64Array, goals: Float64Array, weights: Float64Array): number {
  let [seen, expected] = [0, 0]
  for (let row = 0; row < raw.length; row++) {
    seen += weights[row] * goals[row]
    expected += weights[row] * Math.exp(raw[row])
  }
  return expected > 0 ? seen / expected : 1
}

/** By model: what asks it about rows. One model is asked block by block in every plan until the next is learnt. */
const laidOut = new WeakMap<BoostedTrees, ReturnType<typeof layOut>>()

function layOut({ cuts, trees }: BoostedTrees) {
  const binner = new Binner(cuts)
  return { binner, trees: trees.map((tree) => flatTree(tree, binner.valueBins)) }
}

/** Predictions for all rows of a table with the model's features. */
export function predictBoostedTrees(model: BoostedTrees, table: FeatureTable): Float64Array {
  mustHaveFeatures(table, model.names)
  const { binner, trees } = laidOut.get(model) ?? layOut(model)
  laidOut.set(model, { binner, trees })
  const room = new Uint8Array(table.columns.length * BLOCK)
  const reachable = new Int32Array(BLOCK)
  const raw = new Float64Array(table.rows)
  for (let first = 0; first < table.rows; first += BLOCK) {
    const end = Math.min(first + BLOCK, table.rows)
    const block = binner.bin(table, first, end, room)
    for (const tree of trees) addLeafValues(tree, block, raw.subarray(first, end), reachable)
  }
  for (let row = 0; row < raw.length; row++) raw[row] = model.scale * Math.exp(raw[row])
  return raw
}

function checkTargets(
  table: FeatureTable,
  targets: ArrayLike<number>,
  weights: Float64Array,
): void {
  if (targets.length !== table.rows || weights.length !== table.rows)
    throw new Error(
      `${table.rows} rows need as many targets (${targets.length}) and weights (${weights.length})`,
    )
  for (let row = 0; row < table.rows; row++) {
    if (!(Number.isFinite(targets[row]) && targets[row] >= 0))
      throw new Error(`row ${row}: no target: ${targets[row]}`)
    if (!(Number.isFinite(weights[row]) && weights[row] >= 0))
      throw new Error(`row ${row}: no weight: ${weights[row]}`)
  }
}

function risingFeatures(names: readonly string[], rising: readonly string[]): Uint8Array {
  const unknown = rising.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`no feature "${unknown}" to rise with`)
  return Uint8Array.from(names, (name) => Number(rising.includes(name)))
}

function scaled({ nodes, values }: Tree, factor: number): Tree {
  return { nodes, values: values.map((value) => value * factor) }
}
