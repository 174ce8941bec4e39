import { crc32, gunzipSync, gzipSync } from 'node:zlib'
import type { BatchName } from '#crawl/leases/leases.ts'
import type { FetcherMemory } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'

/** What a worker stores every ten seconds or so: what came, and what it learnt of hosts. Times are those of the leases' clock. */
export interface Segment {
  readonly worker: string
  readonly outcomes: readonly SegmentOutcome[]
  /** What has changed since its last one. */
  readonly memory: FetcherMemory
  /** Hosts that need no remembering any more. */
  readonly forgotten: readonly string[]
  /** Seconds between two requests, by host, and where domains were found. */
  readonly paces: Readonly<Record<string, number>>
  readonly addresses: Readonly<Record<string, string>>
  /** What went over the wire, record by record; `kept` of the outcomes says where. */
  readonly warc: Uint8Array
}

/** What became of one request of a batch. */
export interface SegmentOutcome extends BatchName {
  readonly position: number
  readonly outcome: FetchOutcome
  /** From where to where its records lie, if something was kept. */
  readonly warc?: readonly [start: number, end: number]
}

/** The two files of a segment. */
export function segmentFiles(name: string): { readonly lines: string; readonly warc: string } {
  return { lines: `${name}.jsonl.gz`, warc: `${name}.warc.gz` }
}

/** A head with the checksum of the other file, then a line for each outcome; gzip has a checksum of its own. */
export function packedLines({ outcomes, warc, ...head }: Segment): Uint8Array {
  const sums = { warcBytes: warc.length, warcCrc: crc32(warc) }
  const lines = [{ ...head, ...sums }, ...outcomes].map((line) => JSON.stringify(line))
  return gzipSync(`${lines.join('\n')}\n`, { level: 1 })
}

/** Throws if one of the files is not what was written. */
export function unpackedSegment(lines: Uint8Array, warc: Uint8Array): Segment {
  const { head, outcomes } = unpackedLines(lines)
  const { warcBytes, warcCrc, ...rest } = JSON.parse(head)
  if (warc.length !== warcBytes || crc32(warc) !== warcCrc)
    throw new Error('its WARC file does not match its checksum')
  return { ...rest, outcomes, warc }
}

/** Throws if the file is not what was written. */
export function unpackedLines(lines: Uint8Array) {
  const [head, ...rest] = gunzipSync(lines).toString().trimEnd().split('\n')
  return { head, outcomes: rest.map((line): SegmentOutcome => JSON.parse(line)) }
}
