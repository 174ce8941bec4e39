import { boundOf } from '#numeric/bound-of.ts'
import { type Csr, rowCount, rowOf, transpose } from '#numeric/csr.ts'

/** Rows with exactly the same targets, taken together: pages of one template are counted once. */
interface RowClasses {
  /** By row. */
  readonly classOf: Uint32Array
  /** By class: how many rows it has. */
  readonly sizes: Uint32Array
  /** One row for each class, in the order of their first rows. */
  readonly covers: Csr
}

/** Groups rows by their targets, in whatever order these are. */
export function rowClasses(covers: Csr): RowClasses {
  const rows = rowCount(covers)
  const classOf = new Uint32Array(rows)
  const sizes: number[] = []
  const offsets = [0]
  const targets: number[] = []
  const byTargets = new Map<string, number>()
  for (let row = 0; row < rows; row++) {
    const own = rowOf(covers, row)
    const key = own.slice().sort().join()
    const known = byTargets.get(key)
    classOf[row] = known ?? sizes.length
    if (known !== undefined) {
      sizes[known]++
      continue
    }
    byTargets.set(key, sizes.length)
    sizes.push(1)
    for (const target of own) targets.push(target)
    offsets.push(targets.length)
  }
  return {
    classOf,
    sizes: Uint32Array.from(sizes),
    covers: { offsets: Uint32Array.from(offsets), targets: Uint32Array.from(targets) },
  }
}

/** Calls `visit` for each pair of rows that share a target, with what they share of all that either has. */
function forEachOverlap(
  covers: Csr,
  visit: (row: number, other: number, jaccard: number) => void,
): void {
  const columns = boundOf(covers.targets)
  const rowsOf = transpose(covers, columns)
  const shared = new Uint32Array(rowCount(covers))
  for (let row = 0; row < shared.length; row++) {
    const touched: number[] = []
    for (const target of rowOf(covers, row))
      for (const other of rowOf(rowsOf, target)) {
        if (other <= row) continue
        if (shared[other]++ === 0) touched.push(other)
      }
    for (const other of touched) {
      const both = rowOf(covers, row).length + rowOf(covers, other).length
      visit(row, other, shared[other] / (both - shared[other]))
      shared[other] = 0
    }
  }
}

/**
 * Pairs of old pages by how much the new pages they lead to overlap, in `bins` equal bins from 0 to 1;
 * the last one holds 1. Rows without targets are skipped, as they overlap in nothing.
 *
 * @paper DasguptaEtAl2007 §4.2
 */
export function overlapHistogram(covers: Csr, bins: number): Float64Array {
  const { sizes, covers: distinct } = rowClasses(covers)
  const histogram = new Float64Array(bins)
  const binOf = (jaccard: number) => Math.min(bins - 1, Math.floor(jaccard * bins))
  let rows = 0
  let counted = 0
  const count = (jaccard: number, pairs: number) => {
    histogram[binOf(jaccard)] += pairs
    counted += pairs
  }
  for (let row = 0; row < sizes.length; row++) {
    if (rowOf(distinct, row).length === 0) continue
    rows += sizes[row]
    count(1, (sizes[row] * (sizes[row] - 1)) / 2)
  }
  forEachOverlap(distinct, (row, other, jaccard) => count(jaccard, sizes[row] * sizes[other]))
  histogram[0] += (rows * (rows - 1)) / 2 - counted
  return histogram
}

/**
 * A cluster number for each row: rows are in one cluster if steps of overlap of at least `least` lead
 * from one to the other (single linkage). Numbers ascend with the first rows of the clusters.
 *
 * @paper DasguptaEtAl2007 §5.2 — `least` is 1 − ε_b; Lemma 2 does not hold for 1/3 itself, so nothing is built on it.
 */
export function overlapClusters(covers: Csr, least: number): Uint32Array {
  const { classOf, covers: distinct } = rowClasses(covers)
  const parents = Uint32Array.from({ length: rowCount(distinct) }, (_, row) => row)
  const rootOf = (row: number): number => {
    let root = row
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]]
      root = parents[root]
    }
    return root
  }
  forEachOverlap(distinct, (row, other, jaccard) => {
    if (jaccard < least) return
    const [a, b] = [rootOf(row), rootOf(other)]
    parents[Math.max(a, b)] = Math.min(a, b)
  })
  const numbers = new Map<number, number>()
  return classOf.map((one) => {
    const root = rootOf(one)
    if (!numbers.has(root)) numbers.set(root, numbers.size)
    return numbers.get(root)!
  })
}
