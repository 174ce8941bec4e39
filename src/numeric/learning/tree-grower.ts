import {
  addToHistogram,
  type HistogramLayout,
  histogramLayout,
  type Pull,
  slotsOf,
  subtractHistogram,
} from './histogram.ts'
import { type BinnedTable, binsOf } from './quantile-bins.ts'
import {
  type Bounds,
  findBestSplit,
  leafValueWithin,
  type Split,
  type SplitRules,
  type Sums,
} from './split-search.ts'
import { goesLeft, type Tree, type TreeNode } from './tree.ts'

/** A leaf while the tree grows. Its rows are a view of the grower's, which splits reorder. */
interface OpenLeaf {
  readonly rows: Uint32Array
  readonly sums: Sums
  readonly bounds: Bounds
  readonly parent?: GrowingNode
  readonly side: 'left' | 'right'
  /** Absent where the leaf will not be split any more. */
  histogram?: Float64Array
  split?: Split
}

type GrowingNode = { -readonly [Field in keyof TreeNode]: TreeNode[Field] }

const UNBOUNDED: Bounds = { lowest: -Infinity, highest: Infinity }

/** Grows trees over one binned table: the leaf whose split saves the most loss is split first. */
export class TreeGrower {
  readonly #table: BinnedTable
  readonly #rules: SplitRules
  readonly #maxLeaves: number
  readonly #layout: HistogramLayout
  readonly #spareHistograms: Float64Array[] = []
  readonly #slots: Uint32Array
  /** Scratch for the rows of one leaf at a time. */
  readonly #aside: Uint32Array

  constructor(table: BinnedTable, rules: SplitRules, maxLeaves: number) {
    this.#table = table
    this.#rules = rules
    this.#maxLeaves = maxLeaves
    this.#layout = histogramLayout(table)
    this.#slots = slotsOf(table, this.#layout)
    this.#aside = new Uint32Array(table.rows)
  }

  /** A tree for these rows. Reorders `rows`. */
  grow(rows: Uint32Array, pull: Pull): Tree {
    const nodes: GrowingNode[] = []
    const root: OpenLeaf = { rows, sums: sumOver(rows, pull), bounds: UNBOUNDED, side: 'left' }
    root.histogram = this.#histogramOf(rows, pull)
    this.#findSplit(root)
    const leaves = [root]
    while (leaves.length < this.#maxLeaves) {
      const at = mostSaving(leaves)
      if (at === undefined) break
      const leaf = leaves[at]
      const children = this.#divide(leaf, nodes)
      leaves.splice(at, 1, ...children)
      if (leaves.length === this.#maxLeaves) {
        this.#spareHistograms.push(leaf.histogram!)
      } else {
        this.#shareHistogram(leaf, children, pull)
        for (const child of children) this.#findSplit(child)
      }
    }
    const values = leaves.map((leaf, number) => {
      if (leaf.parent) leaf.parent[leaf.side] = ~number
      if (leaf.histogram) this.#spareHistograms.push(leaf.histogram)
      return leafValueWithin(this.#rules, leaf.sums, leaf.bounds)
    })
    return { nodes, values }
  }

  #findSplit(leaf: OpenLeaf): void {
    leaf.split = findBestSplit(
      leaf.histogram!,
      this.#layout,
      this.#table.valueBins,
      leaf.sums,
      leaf.bounds,
      this.#rules,
    )
  }

  #histogramOf(rows: Uint32Array, pull: Pull): Float64Array {
    const histogram = this.#spareHistograms.pop()?.fill(0) ?? new Float64Array(this.#layout.length)
    addToHistogram(histogram, this.#slots, rows, pull)
    return histogram
  }

  /** Only the smaller child is summed again; the larger gets the rest of the parent's sums. */
  #shareHistogram(leaf: OpenLeaf, [left, right]: readonly [OpenLeaf, OpenLeaf], pull: Pull): void {
    const [smaller, larger] = left.rows.length < right.rows.length ? [left, right] : [right, left]
    smaller.histogram = this.#histogramOf(smaller.rows, pull)
    larger.histogram = leaf.histogram!
    subtractHistogram(larger.histogram, smaller.histogram)
  }

  /** Makes a leaf a node with two leaves. */
  #divide(leaf: OpenLeaf, nodes: GrowingNode[]): [OpenLeaf, OpenLeaf] {
    const { feature, bin, missingLeft, gain, left, right } = leaf.split!
    const node: GrowingNode = { feature, bin, missingLeft, left: 0, right: 0, gain }
    const number = nodes.push(node) - 1
    if (leaf.parent) leaf.parent[leaf.side] = number
    const sides = Uint8Array.from({ length: this.#table.valueBins[feature] + 1 }, (_, binOfRow) =>
      goesLeft(node, binOfRow) ? 0 : 1,
    )
    const middle = partition(leaf.rows, binsOf(this.#table, feature), sides, this.#aside)
    const [leftBounds, rightBounds] = this.#boundsBelow(leaf)
    const [leftRows, rightRows] = [leaf.rows.subarray(0, middle), leaf.rows.subarray(middle)]
    return [
      { rows: leftRows, sums: left, bounds: leftBounds, parent: node, side: 'left' },
      { rows: rightRows, sums: right, bounds: rightBounds, parent: node, side: 'right' },
    ]
  }

  /** On a monotone feature nothing below one side may pass the middle between the sides' values. */
  #boundsBelow({ bounds, split }: OpenLeaf): [left: Bounds, right: Bounds] {
    const { feature, left, right } = split!
    if (this.#rules.monotone[feature] === 0) return [bounds, bounds]
    const leftValue = leafValueWithin(this.#rules, left, bounds)
    const middle = (leftValue + leafValueWithin(this.#rules, right, bounds)) / 2
    return [
      { ...bounds, highest: middle },
      { ...bounds, lowest: middle },
    ]
  }
}

function sumOver(rows: Uint32Array, pull: Pull): Sums {
  let gradient = 0
  let hessian = 0
  let weight = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    gradient += pull.gradients[row]
    hessian += pull.hessians[row]
    weight += pull.weights[row]
  }
  return { gradient, hessian, weight }
}

/** The leaf whose split saves the most; undefined if none can be split. */
function mostSaving(leaves: readonly OpenLeaf[]): number | undefined {
  let best: number | undefined
  let bestGain = 0
  for (const [at, { split }] of leaves.entries()) {
    if (split === undefined || split.gain <= bestGain) continue
    best = at
    bestGain = split.gain
  }
  return best
}

/** Puts rows whose bin has side 0 first, keeping their order; gives how many those are. */
function partition(
  rows: Uint32Array,
  bins: Uint8Array,
  sides: Uint8Array,
  aside: Uint32Array,
): number {
  let left = 0
  let right = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    const side = sides[bins[row]]
    // Both are written and one is kept: cheaper than a branch that the processor cannot predict.
    rows[left] = row
    aside[right] = row
    left += 1 - side
    right += side
  }
  rows.set(aside.subarray(0, right), left)
  return left
}
