import type { Segment } from '#search/segment.ts'
import { writeDurably } from '../durable-file.ts'

/** The arrays of a segment in the order a file has them. */
const COLUMNS = [
  'urls',
  'lengths',
  'terms',
  'offsets',
  'places',
  'counts',
  'pageOffsets',
  'rows',
] as const satisfies readonly (keyof Segment)[]

const MAGIC = 0x31474553 // "SEG1"

/** Writes a segment as one file: a magic word, the length of each column, then the columns themselves. */
export function writeSegment(path: string, segment: Segment): void {
  const columns = COLUMNS.map((name) => segment[name])
  const header = Uint32Array.of(MAGIC, ...columns.map((column) => column.length))
  writeDurably(path, header, ...columns)
}

/** A segment from the bytes of its file: the columns are views of them; undefined if it is damaged. */
export function readSegment(bytes: Buffer): Segment | undefined {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
  const lengths = words.subarray(1, 1 + COLUMNS.length)
  const total = lengths.reduce((sum, length) => sum + length, 1 + COLUMNS.length)
  if (words[0] !== MAGIC || total !== words.length || bytes.byteLength % 4 !== 0) return undefined
  let at = 1 + COLUMNS.length
  const columns = COLUMNS.map((name, i) => {
    const column = words.subarray(at, at + lengths[i])
    at += lengths[i]
    return [name, column]
  })
  return Object.fromEntries(columns)
}
