import { inflateRawSync } from 'node:zlib'
import type { OfficeArchive } from '#parse/documents/office-archive.ts'
import { decodeBody } from '#parse/text/charset.ts'

/** What all texts of an archive may have together once they are unpacked; one may have no more. */
const MOST_BYTES = 64 * 1024 * 1024
const MOST_ENTRIES = 20_000
/** A comment of at most 65,535 bytes may follow the end record of 22. */
const MOST_TAIL_BYTES = 65_557
const END_RECORD = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const STORED = 0
const DEFLATED = 8

interface Entry {
  readonly method: number
  readonly packedBytes: number
  /** Where its local header begins. */
  readonly at: number
}

/**
 * The files of a ZIP archive in memory, unpacked when they are asked for. However much an archive claims to hold or
 * unpacks to, no more than a limit is. One whose directory was cut off is read from its beginning.
 */
export function openZip(body: Uint8Array): OfficeArchive {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const entries = directoryOf(bytes) ?? entriesInOrder(bytes)
  let bytesLeft = MOST_BYTES
  /** The last one asked for, as it is often asked for again. */
  let last: { readonly name: string; readonly text: string | undefined } | undefined
  return {
    names: [...entries.keys()],
    text: (name) => {
      if (last?.name === name) return last.text
      const entry = entries.get(name)
      const content = entry && unpacked(bytes, entry, bytesLeft)
      bytesLeft -= content?.length ?? 0
      last = { name, text: content && decodeBody(content) }
      return last.text
    },
  }
}

/** What the directory at the end lists; undefined if there is none. */
function directoryOf(bytes: Buffer): Map<string, Entry> | undefined {
  const end = endRecord(bytes)
  if (end < 0) return undefined
  const entries = new Map<string, Entry>()
  let at = bytes.readUInt32LE(end + 16)
  while (entries.size < MOST_ENTRIES && at + 46 <= bytes.length) {
    if (bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) break
    const nameBytes = bytes.readUInt16LE(at + 28)
    const more = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes)
    const packedBytes = bytes.readUInt32LE(at + 20)
    const method = bytes.readUInt16LE(at + 10)
    if (!entries.has(name))
      entries.set(name, { method, packedBytes, at: bytes.readUInt32LE(at + 42) })
    at += 46 + nameBytes + more
  }
  return entries.size > 0 ? entries : undefined
}

function endRecord(bytes: Buffer): number {
  const least = Math.max(0, bytes.length - MOST_TAIL_BYTES)
  for (let at = bytes.length - 22; at >= least; at--)
    if (bytes.readUInt32LE(at) === END_RECORD) return at
  return -1
}

/** Entries as they follow each other, as far as they tell their length. */
function entriesInOrder(bytes: Buffer): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  let at = 0
  while (entries.size < MOST_ENTRIES && at >= 0 && at + 30 <= bytes.length) {
    if (bytes.readUInt32LE(at) !== LOCAL_HEADER) break
    const nameBytes = bytes.readUInt16LE(at + 26)
    const start = at + 30 + nameBytes + bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 30, at + 30 + nameBytes)
    const told = bytes.readUInt32LE(at + 18)
    const next = told > 0 ? start + told : bytes.indexOf('PK\x03\x04', start)
    const packedBytes = (next < 0 ? bytes.length : Math.min(next, bytes.length)) - start
    entries.set(name, { method: bytes.readUInt16LE(at + 8), packedBytes, at })
    at = next
  }
  return entries
}

function unpacked(bytes: Buffer, entry: Entry, most: number): Buffer | undefined {
  const { at, method, packedBytes } = entry
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== LOCAL_HEADER) return undefined
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  const packed = bytes.subarray(start, start + packedBytes)
  if (method === STORED) return packed.length <= most ? packed : undefined
  if (method !== DEFLATED || most <= 0) return undefined
  try {
    // What was cut off within is read as far as it goes.
    return inflateRawSync(packed, { maxOutputLength: most, finishFlush: 2 })
  } catch {
    return undefined
  }
}
