import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { PageBounds } from './manifest.ts'
import {
  type GroupHead,
  isMarked,
  MAGIC_BYTES,
  MOST_HEAD_BYTES,
  readHead,
  readUnmarkedHead,
} from './page-groups.ts'

/** A group in the file of the pages' words. */
export interface FoundGroup {
  readonly kind: 'group'
  readonly start: number
  readonly head: GroupHead
}

/** A group, or a stretch where none can be read. */
export type ScannedGroup =
  | FoundGroup
  | { readonly kind: 'damage'; readonly start: number; readonly end: number }

/** Heads are read in bites. */
const BITE_BYTES = 1 << 20

/**
 * The groups of a file from a place on, by their heads. Within known bounds they follow one another without a gap, and
 * what does not fit is damage; behind damage the next head is looked for. Without bounds, what does not fit may also be
 * what a kill left at the end.
 */
export function* scanPages(
  file: number,
  from: number,
  bounds: PageBounds | undefined,
): Generator<ScannedGroup> {
  const end = Math.min(bounds?.bytes ?? Number.POSITIVE_INFINITY, fstatSync(file).size)
  const read = inBites(file, end)
  for (let start = from; start < end; ) {
    const bytes = read(start)
    const mayBeUnmarked = bounds ? start < bounds.unmarkedBytes : !isMarked(bytes)
    const head = mayBeUnmarked ? readUnmarkedHead(bytes) : readHead(bytes)
    const next = head && start + head.headBytes + head.packedBytes
    if (head && next !== undefined && next <= end) {
      yield { kind: 'group', start, head }
      start = next
      continue
    }
    // Within the first edition's groups nothing tells where the next one begins.
    const resumeFrom = mayBeUnmarked && bounds ? bounds.unmarkedBytes : start + 1
    const resumed = findHead(read, resumeFrom, end)
    yield { kind: 'damage', start, end: resumed }
    start = resumed
  }
  if (bounds && end < bounds.bytes) yield { kind: 'damage', start: end, end: bounds.bytes }
}

/** Whether a file begins with a group that has checksums. */
export function holdsMarkedGroups(path: string): boolean {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < MAGIC_BYTES.length) return false
  const file = openSync(path, 'r')
  try {
    return isMarked(readAt(file, 0, MAGIC_BYTES.length))
  } finally {
    closeSync(file)
  }
}

/** Reads bytes of a file; throws if it has not so many. */
export function readAt(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const count = readSync(file, bytes, read, length - read, start + read)
    if (count === 0) throw new Error(`a file ends at byte ${start + read}, before its time`)
    read += count
  }
  return bytes
}

/** Gives the bytes from a place on: enough for a head, or up to the end. */
function inBites(file: number, end: number): (start: number) => Buffer {
  let bite: Buffer = Buffer.alloc(0)
  let biteStart = 0
  return (start) => {
    const needed = Math.min(start + MOST_HEAD_BYTES, end)
    if (start < biteStart || needed > biteStart + bite.length) {
      biteStart = start
      bite = readAt(file, start, Math.min(BITE_BYTES, end - start))
    }
    return bite.subarray(start - biteStart)
  }
}

function findHead(read: (start: number) => Buffer, from: number, end: number): number {
  for (let start = from; start < end; ) {
    const bytes = read(start)
    const at = bytes.indexOf(MAGIC_BYTES)
    if (at >= 0 && readHead(read(start + at))) return start + at
    // A magic word may begin in the last three bytes.
    start += at >= 0 ? at + 1 : Math.max(1, bytes.length - MAGIC_BYTES.length + 1)
  }
  return end
}
