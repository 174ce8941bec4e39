/**
 * Compressed sparse rows: row r holds targets[offsets[r] .. offsets[r + 1]).
 * One shape serves links, postings and result lists alike.
 */
export interface Csr {
  readonly offsets: Uint32Array // length rows + 1
  readonly targets: Uint32Array // length edges
}

/** How many rows there are. */
export function rowCount(csr: Csr): number {
  return csr.offsets.length - 1
}

/** The targets of one row, without a copy. */
export function rowOf(csr: Csr, row: number): Uint32Array {
  return csr.targets.subarray(csr.offsets[row], csr.offsets[row + 1])
}

/** Rows from edges in any order; within a row the targets keep the order of the edges. */
export function csrFromEdges(rows: number, sources: Uint32Array, targets: Uint32Array): Csr {
  if (sources.length !== targets.length) {
    throw new Error(`${sources.length} sources do not pair with ${targets.length} targets`)
  }
  const offsets = offsetsByCounting(rows, sources)
  const sorted = new Uint32Array(targets.length)
  const next = offsets.slice(0, rows)
  for (let edge = 0; edge < sources.length; edge++) sorted[next[sources[edge]]++] = targets[edge]
  return { offsets, targets: sorted }
}

/** Every edge turned round; the sources of each target come out ascending. */
export function transpose(csr: Csr, columns = rowCount(csr)): Csr {
  const { offsets, targets } = csr
  const turnedOffsets = offsetsByCounting(columns, targets)
  const sources = new Uint32Array(targets.length)
  const next = turnedOffsets.slice(0, columns)
  for (let row = 0; row < offsets.length - 1; row++) {
    const end = offsets[row + 1]
    for (let edge = offsets[row]; edge < end; edge++) sources[next[targets[edge]]++] = row
  }
  return { offsets: turnedOffsets, targets: sources }
}

/** Each row's targets once, ascending, without the row itself. */
export function distinctRows(csr: Csr): Csr {
  const rows = rowCount(csr)
  const offsets = new Uint32Array(rows + 1)
  // Rows are sorted and deduplicated in one copy: the write position never reaches the row being
  // read.
  const kept = csr.targets.slice()
  let size = 0
  for (let row = 0; row < rows; row++) {
    const start = csr.offsets[row]
    const end = csr.offsets[row + 1]
    if (end - start > 32) kept.subarray(start, end).sort()
    else sortShortRun(kept, start, end)
    size = keepDistinct(kept, start, end, row, size)
    offsets[row + 1] = size
  }
  return { offsets, targets: size === kept.length ? kept : kept.slice(0, size) }
}

/** Moves a sorted run down to `size`, without duplicates and `self`; gives the new size. */
function keepDistinct(
  values: Uint32Array,
  start: number,
  end: number,
  self: number,
  size: number,
): number {
  const first = size
  let kept = size
  for (let i = start; i < end; i++) {
    const value = values[i]
    if (value === self || (kept > first && values[kept - 1] === value)) continue
    values[kept++] = value
  }
  return kept
}

/** Insertion sort: a call of the built-in sort costs more than most pages have links. */
function sortShortRun(values: Uint32Array, start: number, end: number): void {
  for (let i = start + 1; i < end; i++) {
    const value = values[i]
    let at = i
    for (; at > start && values[at - 1] > value; at--) values[at] = values[at - 1]
    values[at] = value
  }
}

/** Offsets of rows in which row r has as many entries as `keys` has values r. */
function offsetsByCounting(rows: number, keys: Uint32Array): Uint32Array {
  const offsets = new Uint32Array(rows + 1)
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] >= rows) throw new Error(`an edge names row ${keys[i]} of ${rows}`)
    offsets[keys[i] + 1]++
  }
  for (let row = 0; row < rows; row++) offsets[row + 1] += offsets[row]
  return offsets
}
