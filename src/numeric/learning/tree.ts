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

/** The number of the leaf that a row of a table reaches. */
export function leafOf({ nodes }: Tree, { bins, rows }: BinnedTable, row: number): number {
  let at = nodes.length > 0 ? 0 : ~0
  while (at >= 0) {
    const node = nodes[at]
    at = goesLeft(node, bins[node.feature * rows + row]) ? node.left : node.right
  }
  return ~at
}

/** Leaves of a tree that can be laid flat: a bit for each. */
const MOST_LEAVES = 32

/** A tree laid out for many rows. Leaves are numbered from left to right. */
interface FlatTree {
  readonly values: Float64Array
  /** By feature, for those that the tree looks at: the leaves that each bin leaves open, as bits. */
  readonly open: readonly { readonly feature: number; readonly leaves: Int32Array }[]
}

/** Lays a tree out for many rows: a bin closes all leaves below the left child of a node that sends it right. */
export function flatTree({ nodes, values }: Tree, valueBins: Uint32Array): FlatTree {
  if (values.length > MOST_LEAVES)
    throw new Error(`a tree of ${values.length} leaves cannot be laid flat: ${MOST_LEAVES} at most`)
  const ordered: number[] = []
  const open = new Map<number, Int32Array>()
  const lay = (child: number): void => {
    if (child < 0) {
      ordered.push(values[~child])
      return
    }
    const node = nodes[child]
    const { feature } = node
    const first = ordered.length
    lay(node.left)
    const onLeft = ((1 << (ordered.length - first)) - 1) << first
    lay(node.right)
    const leaves = open.get(feature) ?? new Int32Array(valueBins[feature] + 1).fill(~0)
    for (let bin = 0; bin < leaves.length; bin++) if (!goesLeft(node, bin)) leaves[bin] &= ~onLeft
    open.set(feature, leaves)
  }
  lay(nodes.length > 0 ? 0 : ~0)
  return {
    values: Float64Array.from(ordered),
    open: Array.from(open, ([feature, leaves]) => ({ feature, leaves })),
  }
}

/**
 * Adds to `sums[row]` the value of the leaf that the row reaches: the leftmost that no feature closes (as in
 * QuickScorer). All rows at each feature, without a branch: which way a row goes cannot be foretold.
 * `reachable` may give room from an earlier call.
 */
export function addLeafValues(
  { values, open }: FlatTree,
  { bins, rows }: BinnedTable,
  sums: Float64Array,
  reachable = new Int32Array(rows),
): void {
  reachable.fill(~0)
  for (const { feature, leaves } of open) {
    const first = feature * rows
    for (let row = 0; row < rows; row++) reachable[row] &= leaves[bins[first + row]]
  }
  for (let row = 0; row < rows; row++) {
    const leftmost = reachable[row] & -reachable[row]
    sums[row] += values[31 - Math.clz32(leftmost)]
  }
}
