import type { FeatureTable } from './feature-table.ts'

/** A table of rows written out. */
export function tableOf(names: readonly string[], rows: Iterable<readonly number[]>): FeatureTable {
  const all = [...rows]
  const columns = names.map((_, i) => Float32Array.from(all, (row) => row[i]))
  return { names, columns, rows: all.length }
}
