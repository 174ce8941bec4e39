import { type FeatureTable, mustHaveFeatures } from './feature-table.ts'
import { emptyPull } from './histogram.ts'
import { type LossName, lossNamed, type Normalisation } from './losses.ts'
import { type BinnedTable, Binner, type Cuts, fitCuts } from './quantile-bins.ts'
import { addLeafValues, flatTree, type Tree } from './tree.ts'
import { TreeGrower } from './tree-grower.ts'

/** A sum of small trees, as plain data: it survives JSON unchanged. */
export interface BoostedTrees {
  readonly loss: LossName
  readonly names: readonly string[]
  readonly cuts: readonly Cuts[]
  readonly normalisation: Normalisation
  readonly trees: readonly Tree[]
  /** Rows it was learnt from. */
  readonly rows: number
}

export interface BoostingOptions {
  readonly loss: LossName
  /** A row of weight 2 counts as two rows, so shares that sum to 1 must be scaled up. Absent: 1 each. */
  readonly weights?: ArrayLike<number>
  /** At most so many. */
  readonly trees?: number
  /** Leaves of a tree, at most 32. */
  readonly leaves?: number
  readonly learningRate?: number
  /** Least weight of rows in a leaf. */
  readonly minLeafWeight?: number
  /** Pulls leaves to 0 as if so many more rows (for gains: events) had been predicted just right. */
  readonly l2?: number
  /** Bins per feature, 2 to 255. */
  readonly bins?: number
  /** Features with which predictions may only rise, or only fall. */
  readonly monotone?: Readonly<Record<string, 'rising' | 'falling'>>
}

/** Splits that save less, per unit of weight and in normalised targets, only fit rounding errors. */
const LEAST_GAIN = 1e-9
/** Rows predicted at a time, so that their bins stay in the cache. */
const BLOCK = 4096

/** Learns to predict targets from features, by gradient boosting over histograms. */
export function fitBoostedTrees(
  table: FeatureTable,
  targets: ArrayLike<number>,
  options: BoostingOptions,
): BoostedTrees {
  const settings = settingsOf(options)
  const weights = Float64Array.from(options.weights ?? new Float64Array(table.rows).fill(1))
  checkTargets(table, targets, weights, settings.loss)
  const normalisation = lossNamed(settings.loss).normalise(Float64Array.from(targets), weights)
  const { shift, scale } = normalisation
  const cuts = fitCuts(table, settings.bins)
  const task: Task = {
    table: new Binner(cuts).bin(table),
    goals: Float64Array.from(targets, (target) => (target - shift) / scale),
    weights,
    start: normalisation.start,
    dispersion: normalisation.dispersion,
    monotone: directionsOf(table.names, settings.monotone),
  }
  const { trees, balance } = scale > 0 ? boost(task, settings) : { trees: [], balance: 1 }
  return {
    loss: settings.loss,
    names: [...table.names],
    cuts,
    normalisation: { ...normalisation, scale: scale * balance },
    trees,
    rows: table.rows,
  }
}

type Settings = ReturnType<typeof settingsOf>

/** An option that is given but undefined gets its default too. */
function settingsOf({
  loss,
  trees = 100,
  leaves = 16,
  learningRate = 0.1,
  minLeafWeight = 10,
  l2 = 1,
  bins = 64,
  monotone = {},
}: BoostingOptions) {
  return { loss, trees, leaves, learningRate, minLeafWeight, l2, bins, monotone }
}

/** What is to be learnt, in the form that trees grow on. */
interface Task {
  readonly table: BinnedTable
  /** Normalised targets. */
  readonly goals: Float64Array
  readonly weights: Float64Array
  /** Raw score of all rows before the first tree. */
  readonly start: number
  readonly dispersion: number
  readonly monotone: Int8Array
}

interface Boosted {
  readonly trees: Tree[]
  /** What to multiply predictions by, so that their mean is right. */
  readonly balance: number
}

/** Each tree is fitted to what the trees before it left over. */
function boost(task: Task, settings: Settings): Boosted {
  const { table, goals, weights } = task
  const loss = lossNamed(settings.loss)
  const minGain = LEAST_GAIN * weights.reduce((sum, weight) => sum + weight, 0)
  const l2 = settings.l2 * task.dispersion
  const { minLeafWeight } = settings
  const rules = { loss, l2, minLeafWeight, minGain, monotone: task.monotone }
  const grower = new TreeGrower(table, rules, settings.leaves)
  const pull = { ...emptyPull(table.rows), weights }
  const raw = new Float64Array(table.rows).fill(task.start)
  const reachable = new Int32Array(table.rows)
  const rows = Uint32Array.from(raw.keys())
  const features = Uint32Array.from(table.valueBins.keys())
  const trees: Tree[] = []
  for (let round = 0; round < settings.trees; round++) {
    loss.derive(raw, goals, weights, pull.gradients, pull.hessians)
    const tree = scaled(grower.grow(rows.slice(), pull, features), settings.learningRate)
    // From here on every tree would be empty.
    if (tree.nodes.length === 0) break
    trees.push(tree)
    addLeafValues(flatTree(tree, table.valueBins), table, raw, reachable)
  }
  return { trees, balance: loss.balance(raw, goals, weights) }
}

/** Predictions for all rows of a table with the model's features. */
export function predictBoostedTrees(model: BoostedTrees, table: FeatureTable): Float64Array {
  mustHaveFeatures(table, model.names)
  const { shift, scale, start } = model.normalisation
  const { link } = lossNamed(model.loss)
  const binner = new Binner(model.cuts)
  const room = new Uint8Array(table.columns.length * BLOCK)
  const reachable = new Int32Array(BLOCK)
  const trees = model.trees.map((tree) => flatTree(tree, binner.valueBins))
  const raw = new Float64Array(table.rows).fill(start)
  for (let first = 0; first < table.rows; first += BLOCK) {
    const end = Math.min(first + BLOCK, table.rows)
    const block = binner.bin(table, first, end, room)
    for (const tree of trees) addLeafValues(tree, block, raw.subarray(first, end), reachable)
  }
  for (let row = 0; row < raw.length; row++) raw[row] = shift + scale * link(raw[row])
  return raw
}

function checkTargets(
  table: FeatureTable,
  targets: ArrayLike<number>,
  weights: Float64Array,
  loss: LossName,
): void {
  if (targets.length !== table.rows || weights.length !== table.rows)
    throw new Error(
      `${table.rows} rows need as many targets (${targets.length}) and weights (${weights.length})`,
    )
  const least = loss === 'squared' ? -Infinity : 0
  const most = loss === 'logistic' ? 1 : Infinity
  for (let row = 0; row < table.rows; row++) {
    const target = targets[row]
    if (!(Number.isFinite(target) && target >= least && target <= most))
      throw new Error(`row ${row}: no target for ${loss} loss: ${target}`)
    if (!(Number.isFinite(weights[row]) && weights[row] >= 0))
      throw new Error(`row ${row}: no weight: ${weights[row]}`)
  }
}

function directionsOf(names: readonly string[], monotone: Settings['monotone']): Int8Array {
  for (const name of Object.keys(monotone))
    if (!names.includes(name)) throw new Error(`no feature "${name}" to be monotone in`)
  const sign = { rising: 1, falling: -1 }
  return Int8Array.from(names, (name) => (monotone[name] ? sign[monotone[name]] : 0))
}

function scaled({ nodes, values }: Tree, factor: number): Tree {
  return { nodes, values: values.map((value) => value * factor) }
}
