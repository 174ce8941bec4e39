import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { RobotsRecord } from '#crawl/ports.ts'

/** Shorter texts are hardly worth it. */
const PACKED_CHARS = 4_096

/** How long the packed ones are: to count them they need not be unpacked. */
const chars = new WeakMap<RobotsRecord, number>()

/** A record whose text is packed if it is long: once its rules are ready, it is only read to be handed on. */
export function packedRecord(record: RobotsRecord): RobotsRecord {
  const { text } = record
  if (text === undefined || text.length < PACKED_CHARS || chars.has(record)) return record
  const bytes = new Uint8Array(deflateRawSync(text, { level: 1 })) // without the room that was left
  const packed = {
    ...record,
    get text() {
      return inflateRawSync(bytes).toString()
    },
  }
  chars.set(packed, text.length)
  return packed
}

/** The length of a record's text. */
export function textChars(record: RobotsRecord): number {
  return chars.get(record) ?? record.text?.length ?? 0
}
