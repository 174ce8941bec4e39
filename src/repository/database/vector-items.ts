import {
  DuckDBBigIntVector,
  DuckDBDoubleVector,
  DuckDBIntegerVector,
  type DuckDBVector,
} from '@duckdb/node-api'

/**
 * The typed array behind a vector of numbers. The library declares it private and offers values one
 * by one, which is ten times slower over millions of links; a test notices if it ever moves.
 */
function bigIntItems(vector: DuckDBVector): BigInt64Array {
  return itemsOf(vector, DuckDBBigIntVector, BigInt64Array)
}

export function integerItems(vector: DuckDBVector): Int32Array {
  return itemsOf(vector, DuckDBIntegerVector, Int32Array)
}

/** What is null comes out as anything. */
export function doubleItems(vector: DuckDBVector): Float64Array {
  return itemsOf(vector, DuckDBDoubleVector, Float64Array)
}

/** 64-bit numbers as pairs of words, low first. */
export function wordsOf(vector: DuckDBVector): Uint32Array {
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
