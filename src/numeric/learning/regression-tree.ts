import { seededRandom } from '../random.ts'
import { type FeatureTable, mustHaveFeatures } from './feature-table.ts'
import { emptyPull } from './histogram.ts'
import { momentsOf, squared } from './losses.ts'
import { type BinnedTable, Binner, type Cuts, fitCuts, MOST_BINS } from './quantile-bins.ts'
import { leafOf, type Tree, type TreeNode } from './tree.ts'
import { TreeGrower } from './tree-grower.ts'

/** One tree whose leaves hold means, as plain data. */
export interface RegressionTree {
  readonly names: readonly string[]
  readonly cuts: readonly Cuts[]
  readonly tree: Tree
}

/** Leaves before pruning, at most. */
const MOST_LEAVES = 256
/** Share of the rows that decide what is pruned. */
const PRUNING_SHARE = 1 / 3

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
  minLeafRows = 2,
): RegressionTree {
  const random = seededRandom(1)
  const cuts = fitCuts(table, MOST_BINS)
  const lesson: Lesson = {
    table: new Binner(cuts).bin(table),
    targets,
    aside: Uint8Array.from({ length: table.rows }, () => Number(random.chance(PRUNING_SHARE))),
  }
  const grown = growTree(lesson, minLeafRows)
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
  /** 1 for rows that decide what is pruned, 0 for those the tree grows on. */
  readonly aside: Uint8Array
}

function growTree({ table, targets, aside }: Lesson, minLeafWeight: number): Tree {
  const goals = Float64Array.from(targets)
  const weights = new Float64Array(table.rows).fill(1)
  const { mean, deviation } = momentsOf(goals, weights)
  if (!(deviation > 1e-12 * Math.abs(mean))) return { nodes: [], values: [0] }
  const pull = { ...emptyPull(table.rows), weights }
  const centre = new Float64Array(table.rows).fill(mean)
  squared.derive(centre, goals, weights, pull.gradients, pull.hessians)
  const minGain = LEAST_GAIN * deviation ** 2 * table.rows
  const monotone = new Uint8Array(table.valueBins.length)
  const rules = { loss: squared, l2: 0, minLeafWeight, minGain, monotone }
  const rows = Uint32Array.from(aside.keys()).filter((row) => aside[row] === 0)
  return new TreeGrower(table, rules, MOST_LEAVES).grow(rows, pull)
}

/** Splits that save less of the variance only fit rounding errors. */
const LEAST_GAIN = 1e-9

/** Count, sum and sum of squares of targets. */
interface Tally {
  readonly count: number
  readonly sum: number
  readonly squares: number
}

/** What reached a leaf or node, of the rows that the tree grew on and of those set aside. */
type Reached = readonly [grown: Tally, aside: Tally]

const NOTHING: Tally = { count: 0, sum: 0, squares: 0 }

function tallyByLeaf(tree: Tree, { table, targets, aside }: Lesson): Reached[] {
  const tallies = tree.values.map((): [Tally, Tally] => [NOTHING, NOTHING])
  for (let row = 0; row < table.rows; row++) {
    const sum = targets[row]
    const reached = tallies[leafOf(tree, table, row)]
    reached[aside[row]] = added(reached[aside[row]], { count: 1, sum, squares: sum ** 2 })
  }
  return tallies
}

function added(a: Tally, b: Tally): Tally {
  return { count: a.count + b.count, sum: a.sum + b.sum, squares: a.squares + b.squares }
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
  const [grown, { count, sum, squares }] = reached
  const mean = meanOf(grown)
  return { reached, error: squares - 2 * mean * sum + mean ** 2 * count, children: [] }
}

function meanOf({ count, sum }: Tally): number {
  return count > 0 ? sum / count : 0
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
