/** Numbers a model reads, one column per feature. NaN means that a value is missing. */
export interface FeatureTable {
  readonly names: readonly string[]
  /** `columns[feature][row]`, each of length `rows`. */
  readonly columns: readonly Float32Array[]
  readonly rows: number
}

/** A feature table that grows. Its columns are written in place: rows are many, and a call for each value is dear. */
export class GrowingTable {
  readonly names: readonly string[]
  /** They may be others after `add`. */
  readonly columns: Float32Array[]
  #rows = 0

  constructor(names: readonly string[]) {
    this.names = names
    this.columns = names.map(() => new Float32Array(1024))
  }

  /** Makes room for so many rows more; gives the number of the first. */
  add(count: number): number {
    const first = this.#rows
    this.#rows += count
    for (const [i, column] of this.columns.entries()) {
      if (this.#rows <= column.length) break
      this.columns[i] = new Float32Array(Math.max(this.#rows, 2 * column.length))
      this.columns[i].set(column.subarray(0, first))
    }
    return first
  }

  /** The rows so far, without a copy. */
  view(): FeatureTable {
    const columns = this.columns.map((column) => column.subarray(0, this.#rows))
    return { names: this.names, columns, rows: this.#rows }
  }
}

/** The rows named, in their order; a row may come twice. */
export function selectRows(table: FeatureTable, rows: Uint32Array): FeatureTable {
  const columns = table.columns.map((column) => {
    const selected = new Float32Array(rows.length)
    for (let i = 0; i < rows.length; i++) selected[i] = column[rows[i]]
    return selected
  })
  return { names: table.names, columns, rows: rows.length }
}

/** Fails if a table does not have the features that a model was learnt from, in their order. */
export function mustHaveFeatures(table: FeatureTable, names: readonly string[]): void {
  if (table.names.length !== names.length || table.names.some((name, i) => name !== names[i]))
    throw new Error(`a model of ${names.join(', ')} cannot read ${table.names.join(', ')}`)
}
