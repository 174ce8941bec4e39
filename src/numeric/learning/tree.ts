import { type BinnedTable, MISSING_BIN } from './quantile-bins.ts'

/** A binary tree over binned features, as plain data. Leaf l is written ~l where a node names a child. */
export interface Tree {
  /** The root comes first; empty when the tree is one leaf. */
  readonly nodes: readonly TreeNode[]
  readonly values: readonly number[]
}

export interface TreeNode {
  readonly feature: number
  /** Values in this bin or a lower one go left. */
  readonly bin: number
  /** Where rows go whose value is missing. */
  readonly missingLeft: boolean
  readonly left: number
  readonly right: number
  /** Loss saved by the split. */
  readonly gain: number
}

/** Whether a node sends a bin to its left child. */
export function goesLeft({ bin, missingLeft }: TreeNode, binOfRow: number): boolean {
  return binOfRow === MISSING_BIN ? missingLeft : binOfRow <= bin
}

/** How much loss the splits on each feature saved, over all trees. */
export function gainByFeature(trees: readonly Tree[], features: number): Float64Array {
  const gains = new Float64Array(features)
  for (const { nodes } of trees) for (const { feature, gain } of nodes) gains[feature] += gain
  return gains
}

/** A tree laid out for many rows. */
export interface FlatTree {
  /**
   * Five numbers per node: its feature, its shift and its limit (see `flatTree`), and where its left and
   * its right child begin. Leaf l is written ~l.
   */
  readonly nodes: Int32Array
  readonly values: Float64Array
}

const NUMBERS_PER_NODE = 5

/**
 * Lays a tree out for many rows. Missing values have bin 0, so by themselves they go left. Where they
 * must go right, 1 is subtracted from bin and limit alike, modulo 256, which makes theirs the largest.
 */
export function flatTree({ nodes, values }: Tree): FlatTree {
  const beginOf = (child: number) => (child < 0 ? child : child * NUMBERS_PER_NODE)
  const flat = nodes.flatMap(({ feature, bin, missingLeft, left, right }) => {
    const shift = missingLeft ? 0 : 1
    return [feature, shift, bin - shift, beginOf(left), beginOf(right)]
  })
  return { nodes: Int32Array.from(flat), values: Float64Array.from(values) }
}

/** Adds to `sums[row]` the value of the leaf that the row reaches. */
export function addLeafValues(
  { nodes, values }: FlatTree,
  { bins, rows }: BinnedTable,
  sums: Float64Array,
): void {
  const root = nodes.length > 0 ? 0 : ~0
  for (let row = 0; row < rows; row++) {
    let at = root
    while (at >= 0) {
      const bin = (bins[nodes[at] * rows + row] - nodes[at + 1]) & 255
      at = bin > nodes[at + 2] ? nodes[at + 4] : nodes[at + 3]
    }
    sums[row] += values[~at]
  }
}
