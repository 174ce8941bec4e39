import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBBigIntVector,
  DuckDBDoubleVector,
  DuckDBIntegerVector,
  type DuckDBType,
  type DuckDBVector,
  VARCHAR,
} from '@duckdb/node-api'
import type { Column, ColumnKind, Written } from './define-table.ts'

/** Values of a column to append; pairs of words may also come as two arrays. */
export type Values<Kind extends ColumnKind> =
  | readonly Written[Kind][]
  | (Kind extends 'integer' | 'long' ? Uint32Array : never)
  | (Kind extends 'hash' ? WordPairs : never)

interface WordPairs {
  readonly low: Uint32Array
  readonly high: Uint32Array
}

/** What a column is read as, some thousands of rows at a time. */
export interface Items<Word extends string = string> {
  integer: Int32Array
  long: Float64Array
  double: Float64Array
  boolean: readonly (boolean | null)[]
  text: readonly (string | null)[]
  word: readonly (Word | undefined)[]
  /** Two for each row, the low one first. */
  hash: Uint32Array
}

interface KindOfColumn<Kind extends ColumnKind> {
  readonly type: DuckDBType
  /** Puts the values of some rows into a vector. */
  write(vector: DuckDBVector, values: Values<Kind>): void
  /** SQL that reads a column as what `items` expects. */
  sql(column: string, declared: Column<unknown, Kind>): string
  items(vector: DuckDBVector, declared: Column<unknown, Kind>): Items[Kind]
}

const NONE = -1
const WORD = 2 ** 32

/** How values of each kind are stored, written and read. */
export const COLUMN_KINDS: { readonly [Kind in ColumnKind]: KindOfColumn<Kind> } = {
  integer: {
    type: BIGINT,
    write: writeWhole,
    sql: (column, { missing = NONE }) => `coalesce(${column}, ${missing})::INTEGER`,
    items: integerItems,
  },
  long: {
    type: BIGINT,
    write: writeWhole,
    sql: (column, declared) => COLUMN_KINDS.double.sql(`${column}::DOUBLE`, declared as never),
    items: doubleItems,
  },
  double: {
    type: DOUBLE,
    write: (vector, values) => {
      const items = doubleItems(vector)
      for (let row = 0; row < items.length; row++) {
        const value = values[row]
        if (value === null || value === undefined) writeItem(vector, row, null)
        else items[row] = value
      }
    },
    sql: (column, { missing }) => `coalesce(${column}, ${missing ?? "'nan'::DOUBLE"})`,
    items: doubleItems,
  },
  boolean: {
    type: BOOLEAN,
    write: writeEach,
    sql: (column) => column,
    items: (vector) => itemsOneByOne<boolean>(vector),
  },
  text: {
    type: VARCHAR,
    write: writeEach,
    sql: (column) => column,
    items: (vector) => itemsOneByOne<string>(vector),
  },
  word: {
    type: VARCHAR,
    write: writeEach,
    // A word's place in the list: numbers are read ten times faster than words.
    sql: (column, { words = [] }) => {
      const list = words.map((word) => `'${word}'`).join(', ')
      return `coalesce(list_position([${list}], ${column}) - 1, ${NONE})::INTEGER`
    },
    items: (vector, { words = [] }) => Array.from(integerItems(vector), (place) => words[place]),
  },
  hash: {
    type: BIGINT,
    write: (vector, values) => {
      const words = wordsOf(vector)
      const rows = words.length / 2
      if ('low' in values)
        for (let row = 0; row < rows; row++)
          writeWords(words, row, values.low[row], values.high[row])
      else
        for (let row = 0; row < rows; row++)
          writeWords(words, row, values[row]?.[0] ?? 0, values[row]?.[1] ?? 0)
    },
    sql: (column) => `coalesce(${column}, 0)`,
    items: wordsOf,
  },
}

/** Whole numbers as pairs of words, low first: no bigint is made of each. */
function writeWhole(vector: DuckDBVector, values: Values<'integer'>): void {
  const words = wordsOf(vector)
  const rows = words.length / 2
  if (values instanceof Uint32Array)
    for (let row = 0; row < rows; row++) writeWords(words, row, values[row], 0)
  else
    for (let row = 0; row < rows; row++) {
      const value = values[row] ?? NONE
      if (value === NONE) writeItem(vector, row, null)
      else writeWords(words, row, value, Math.floor(value / WORD))
    }
}

function writeWords(words: Uint32Array, row: number, low: number, high: number): void {
  words[2 * row] = low
  words[2 * row + 1] = high
}

function writeEach(vector: DuckDBVector, values: readonly unknown[]): void {
  for (let row = 0; row < vector.itemCount; row++) writeItem(vector, row, values[row] ?? null)
}

/** The library declares this for each type of vector, and not for all. */
function writeItem(vector: DuckDBVector, row: number, value: unknown): void {
  ;(vector as unknown as { setItem(row: number, value: unknown): void }).setItem(row, value)
}

function itemsOneByOne<T>(vector: DuckDBVector): (T | null)[] {
  return Array.from({ length: vector.itemCount }, (_, row) => vector.getItem(row) as T | null)
}

/**
 * The typed array behind a vector of numbers. The library declares it private and offers values one
 * by one, which is ten times slower over millions of links; a test notices if it ever moves.
 */
function bigIntItems(vector: DuckDBVector): BigInt64Array {
  return itemsOf(vector, DuckDBBigIntVector, BigInt64Array)
}

function integerItems(vector: DuckDBVector): Int32Array {
  return itemsOf(vector, DuckDBIntegerVector, Int32Array)
}

/** What is null comes out as anything. */
function doubleItems(vector: DuckDBVector): Float64Array {
  return itemsOf(vector, DuckDBDoubleVector, Float64Array)
}

/** 64-bit numbers as pairs of words, low first. */
function wordsOf(vector: DuckDBVector): Uint32Array {
  const items = bigIntItems(vector)
  return new Uint32Array(items.buffer, items.byteOffset, items.length * 2)
}

function itemsOf<Items>(
  vector: DuckDBVector,
  vectorType: abstract new (...args: never[]) => DuckDBVector,
  itemsType: new (...args: never[]) => Items,
): Items {
  const { items } = vector as unknown as { items: unknown }
  if (!(vector instanceof vectorType && items instanceof itemsType))
    throw new Error(`expected a ${vectorType.name} over a ${itemsType.name}`)
  return items
}
