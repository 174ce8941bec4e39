import { type FeatureTable, GrowingTable } from './feature-table.ts'

/** A table of rows written out. */
export function tableOf(names: readonly string[], rows: Iterable<readonly number[]>): FeatureTable {
  const table = new GrowingTable(names)
  for (const row of rows) table.append(row)
  return table.view()
}
