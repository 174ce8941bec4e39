import { seededRandom } from '../random.ts'
import { type FeatureTable, mustHaveFeatures } from './feature-table.ts'
import { emptyPull } from './histogram.ts'
import { lossNamed } from './losses.ts'
import { type BinnedTable, Binner, type Cuts, fitCuts, MOST_BINS } from './quantile-bins.ts'
import { leafOf, type Tree, type TreeNode } from './tree.ts'
import { TreeGrower } from './tree-grower.ts'

/** One tree whose leaves hold means, as plain data. */
export interface RegressionTree {
  readonly names: readonly string[]
  readonly cuts: readonly Cuts[]
  readonly tree: Tree
}

interface RegressionTreeOptions {
  readonly weights?: ArrayLike<number>
  readonly minLeafWeight?: number
  /** At most so many leaves before pruning. */
  readonly leaves?: number
  readonly bins?: number
  /** Share of the rows that decide what is pruned. */
  readonly pruningShare?: number
  readonly seed?: number
}

/**
 * A tree that splits where variance falls most, pruned where held-out rows do as well without
 * the split. Its means are then taken over all rows.
 *
 * @paper PandeyOlston2008 §6.1 — they name only "a regression tree" by WEKA; this is the manner of its
 * REPTree, with splits between quantiles.
 */
export function fitRegressionTree(
  table: FeatureTable,
  targets: ArrayLike<number>,
  options: RegressionTreeOptions = {},
): RegressionTree {
  const { bins = MOST_BINS, pruningShare = 1 / 3, seed = 1 } = options
  const random = seededRandom(seed)
  const cuts = fitCuts(table, bins)
  const lesson: Lesson = {
    table: new Binner(cuts).bin(table),
    targets,
    weights: Float64Array.from(options.weights ?? new Float64Array(table.rows).fill(1)),
    aside: Uint8Array.from({ length: table.rows }, () => Number(random.chance(pruningShare))),
  }
  const grown = growTree(lesson, options)
  const root = pruned(grown, rootOf(grown), tallyByLeaf(grown, lesson))
  return { names: [...table.names], cuts, tree: flattened(root) }
}

/** Predictions for all rows of a table with the tree's features. */
export function predictRegressionTree(model: RegressionTree, table: FeatureTable): Float64Array {
  mustHaveFeatures(table, model.names)
  const { tree, cuts } = model
  const binned = new Binner(cuts).bin(table)
  return Float64Array.from(
    { length: table.rows },
    (_, row) => tree.values[leafOf(tree, binned, row)],
  )
}

interface Lesson {
  readonly table: BinnedTable
  readonly targets: ArrayLike<number>
  readonly weights: Float64Array
  /** 1 for rows that decide what is pruned, 0 for those the tree grows on. */
  readonly aside: Uint8Array
}

function growTree(
  { table, targets, weights, aside }: Lesson,
  { leaves = 256, minLeafWeight = 2 }: RegressionTreeOptions,
): Tree {
  const loss = lossNamed('squared')
  const goals = Float64Array.from(targets)
  const { shift, scale } = loss.normalise(goals, weights)
  if (scale === 0) return { nodes: [], values: [0] }
  const pull = { ...emptyPull(table.rows), weights }
  const centre = new Float64Array(table.rows).fill(shift)
  loss.derive(centre, goals, weights, pull.gradients, pull.hessians)
  const minGain = LEAST_GAIN * scale ** 2 * table.rows
  const monotone = new Int8Array(table.valueBins.length)
  const rules = { loss, l2: 0, minLeafWeight, minGain, monotone }
  const rows = Uint32Array.from(aside.keys()).filter((row) => aside[row] === 0)
  const features = Uint32Array.from(table.valueBins.keys())
  return new TreeGrower(table, rules, leaves).grow(rows, pull, features)
}

/** Splits that save less of the variance only fit rounding errors. */
const LEAST_GAIN = 1e-9

/** Weight, sum and sum of squares of targets. */
interface Tally {
  readonly weight: number
  readonly sum: number
  readonly squares: number
}

/** What reached a leaf or node, of the rows that the tree grew on and of those set aside. */
type Reached = readonly [grown: Tally, aside: Tally]

const NOTHING: Tally = { weight: 0, sum: 0, squares: 0 }

function tallyByLeaf(tree: Tree, { table, targets, weights, aside }: Lesson): Reached[] {
  const tallies = tree.values.map((): [Tally, Tally] => [NOTHING, NOTHING])
  for (let row = 0; row < table.rows; row++) {
    const weight = weights[row]
    const sum = weight * targets[row]
    const reached = tallies[leafOf(tree, table, row)]
    reached[aside[row]] = added(reached[aside[row]], { weight, sum, squares: sum * targets[row] })
  }
  return tallies
}

function added(a: Tally, b: Tally): Tally {
  return { weight: a.weight + b.weight, sum: a.sum + b.sum, squares: a.squares + b.squares }
}

/** A pruned subtree; without a `node` it is a leaf. */
interface Branch {
  readonly reached: Reached
  /** Squared error over the rows set aside. */
  readonly error: number
  readonly node?: TreeNode
  readonly children: readonly Branch[]
}

/** From the leaves up: a split stays only if rows set aside are predicted better with it. */
function pruned(tree: Tree, at: number, tallies: readonly Reached[]): Branch {
  if (at < 0) return leafBranch(tallies[~at])
  const node = tree.nodes[at]
  const children = [pruned(tree, node.left, tallies), pruned(tree, node.right, tallies)]
  const [left, right] = children.map(({ reached }) => reached)
  const leaf = leafBranch([added(left[0], right[0]), added(left[1], right[1])])
  const error = children[0].error + children[1].error
  return error < leaf.error ? { reached: leaf.reached, error, node, children } : leaf
}

function leafBranch(reached: Reached): Branch {
  const [grown, { weight, sum, squares }] = reached
  const mean = meanOf(grown)
  return { reached, error: squares - 2 * mean * sum + mean ** 2 * weight, children: [] }
}

function meanOf({ weight, sum }: Tally): number {
  return weight > 0 ? sum / weight : 0
}

function rootOf({ nodes }: Tree): number {
  return nodes.length > 0 ? 0 : ~0
}

function flattened(root: Branch): Tree {
  const nodes: TreeNode[] = []
  const values: number[] = []
  const add = ({ node, children, reached }: Branch): number => {
    if (node === undefined) return ~(values.push(meanOf(added(...reached))) - 1)
    const at = nodes.push(node) - 1
    const [left, right] = children.map(add)
    nodes[at] = { ...node, left, right }
    return at
  }
  add(root)
  return { nodes, values }
}
