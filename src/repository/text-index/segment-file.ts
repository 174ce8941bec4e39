import type { Segment } from '#search/full-text/segment.ts'

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

/** What the file of a segment holds: a magic word, the length of each column, then the columns themselves. */
export function segmentParts(segment: Segment): Uint32Array[] {
  const columns = COLUMNS.map((name) => segment[name])
  return [Uint32Array.of(MAGIC, ...columns.map((column) => column.length)), ...columns]
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
