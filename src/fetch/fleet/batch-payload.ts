import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FetcherMemory, FetchRequest } from '#crawl/ports.ts'

/** What a batch tells the worker that leases it; times are those of the leases' clock. */
interface BatchPayload {
  /** The best first: a request's position is its place here. */
  readonly requests: readonly Omit<FetchRequest, 'priority'>[]
  /** What is known of their hosts. */
  readonly memory: Partial<FetcherMemory>
}

export function packedBatch(payload: BatchPayload): Uint8Array {
  return deflateRawSync(JSON.stringify(payload), { level: 1 })
}

export function unpackedBatch(bytes: Uint8Array): BatchPayload {
  return JSON.parse(inflateRawSync(bytes).toString())
}
