import { GrowingColumn } from '../grow.ts'

/** Numbers a model reads, one column per feature. NaN means that a value is missing. */
export interface FeatureTable {
  readonly names: readonly string[]
  /** `columns[feature][row]`, each of length `rows`. */
  readonly columns: readonly Float32Array[]
  readonly rows: number
}

/** A feature table that grows row by row. */
export class GrowingTable {
  readonly #names: readonly string[]
  readonly #columns: readonly GrowingColumn<Float32Array>[]
  #rows = 0

  constructor(names: readonly string[]) {
    this.#names = [...names]
    this.#columns = names.map(() => new GrowingColumn(Float32Array))
  }

  get rows(): number {
    return this.#rows
  }

  /** Appends a row, its values in the order of the names, and gives its number. */
  append(values: ArrayLike<number>): number {
    if (values.length !== this.#columns.length)
      throw new Error(`a row of ${values.length} values for ${this.#columns.length} features`)
    for (let feature = 0; feature < values.length; feature++)
      this.#columns[feature].push(values[feature])
    return this.#rows++
  }

  /** The rows so far, without a copy; rows appended later are not in it. */
  view(): FeatureTable {
    const columns = this.#columns.map((column) => column.view())
    return { names: this.#names, columns, rows: this.#rows }
  }
}

/** The rows named, in their order; a row may come twice. */
export function selectRows(table: FeatureTable, rows: Uint32Array): FeatureTable {
  const columns = table.columns.map((column) => selectValues(column, rows))
  return { names: table.names, columns, rows: rows.length }
}

/** The values of the rows named, in their order. */
function selectValues<A extends Float32Array | Float64Array>(values: A, rows: Uint32Array): A {
  const selected = new (values.constructor as new (length: number) => A)(rows.length)
  for (let i = 0; i < rows.length; i++) selected[i] = values[rows[i]]
  return selected
}

/** Fails if a table does not have the features that a model was learnt from, in their order. */
export function mustHaveFeatures(table: FeatureTable, names: readonly string[]): void {
  if (table.names.length !== names.length || table.names.some((name, i) => name !== names[i]))
    throw new Error(`a model of ${names.join(', ')} cannot read ${table.names.join(', ')}`)
}
