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

/** A tree laid out for many rows. Leaves are numbered from left to right; nodes come before their children. */
export interface FlatTree {
  /**
   * Five numbers per node: its feature, its shift and its limit (see `flatTree`), the first leaf below it,
   * and how many leaves its left child has.
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
  const flat: number[] = []
  const leaves: number[] = []
  const lay = (child: number): void => {
    if (child < 0) {
      leaves.push(values[~child])
      return
    }
    const { feature, bin, missingLeft, left, right } = nodes[child]
    const shift = missingLeft ? 0 : 1
    const firstLeaf = leaves.length
    const end = flat.push(feature, shift, bin - shift, firstLeaf, 0)
    lay(left)
    flat[end - 1] = leaves.length - firstLeaf
    lay(right)
  }
  lay(nodes.length > 0 ? 0 : ~0)
  return { nodes: Int32Array.from(flat), values: Float64Array.from(leaves) }
}

/**
 * Adds to `sums[row]` the value of the leaf that the row reaches. Goes node by node, all rows at each: a row is
 * at a node if the leftmost leaf it may still reach is the node's first, and moves on by the leaves of the
 * left child if it goes right. From node to node for each row took twice as long.
 */
export function addLeafValues(
  { nodes, values }: FlatTree,
  { bins, rows }: BinnedTable,
  sums: Float64Array,
): void {
  const leaves = new Uint16Array(rows)
  for (let at = 0; at < nodes.length; at += NUMBERS_PER_NODE) {
    const [feature, shift, limit, firstLeaf, leftLeaves] = nodes.subarray(at, at + NUMBERS_PER_NODE)
    for (let row = 0; row < rows; row++) {
      const leaf = leaves[row]
      const bin = (bins[feature * rows + row] - shift) & 255
      // All bits are 1 where it holds, and 0 where not: which way a row goes cannot be foretold.
      const isHere = ((leaf ^ firstLeaf) - 1) >> 31
      const goesRight = (limit - bin) >> 31
      leaves[row] = leaf + (leftLeaves & isHere & goesRight)
    }
  }
  for (let row = 0; row < rows; row++) sums[row] += values[leaves[row]]
}
