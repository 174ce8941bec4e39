import { randomUUID } from 'node:crypto'
import type { KeptWith } from '#crawl/ports.ts'
import type { SegmentWarc } from '#fetch/fleet/worker/segment-draft.ts'
import type { Exchange, FetchOutcome, KeptExchanges } from '#learn/entries/outcome.ts'
import { releasePages } from '#numeric/own-pages.ts'
import type { CdxjEntry } from '../warc/cdxj.ts'
import type { Capture } from '../warc/last-captures.ts'
import { writtenUrl } from '../warc/write/warc-appender.ts'
import { type CaptureFacts, type WarcInfo, WarcRecords } from '../warc/write/warc-records.ts'
import { keepInWarc, keepRobotsInWarc } from './keep-in-warc.ts'

interface MemoryWarcOptions {
  readonly info: WarcInfo
  /** What the first record calls the stream. */
  readonly name: string
  /** Seconds since 1970. */
  readonly now: () => number
}

/** WARC records of a worker that has no disk: they wait in memory until they are stored with their segment. */
export class MemoryWarc implements SegmentWarc {
  readonly #records = new WarcRecords(randomUUID)
  readonly #warcinfoId: string
  readonly #spans = new WeakMap<KeptExchanges, readonly [number, number]>()
  #parts: Uint8Array[] = []
  #taken = 0
  #end = 0

  constructor({ info, name, now }: MemoryWarcOptions) {
    const { id, member } = this.#records.warcinfo(info, name, now())
    this.#warcinfoId = id
    this.#push(member)
  }

  keep({ robots = [], ...outcome }: FetchOutcome, keptWith?: KeptWith): FetchOutcome {
    // The first outcome brings along what the stream begins with.
    const start = this.#end === this.#parts[0]?.length && this.#taken === 0 ? 0 : this.#end
    const files = robots.map((file) => {
      const record = keepRobotsInWarc(file, this)
      releasePages(file.exchange.body)
      return record
    })
    const withFiles = files.length > 0 ? { ...outcome, kept: { robots: files } } : outcome
    const kept = keepInWarc(withFiles, this, keptWith)
    if (kept.kept) this.#spans.set(kept.kept, [start, this.#end])
    return kept
  }

  append(exchange: Exchange, facts: CaptureFacts, original?: Capture): CdxjEntry {
    const url = writtenUrl(facts.url)
    const kept = { url, exchange, warcinfoId: this.#warcinfoId }
    const { member, id, digest, mime, status } = this.#records.capture(kept, original)
    const offset = this.#end
    this.#push(member, ...this.#records.beside(kept, id, facts))
    return {
      ...{ url, at: Math.floor(exchange.startedAt), mime, status, digest, offset },
      ...{ length: member.length, filename: '', record: id, truncated: exchange.truncated },
    }
  }

  spanOf(kept: KeptExchanges): readonly [number, number] {
    return this.#spans.get(kept)!
  }

  takeTo(end: number): Uint8Array {
    const taken: Uint8Array[] = []
    while (this.#taken < end) {
      const part = this.#parts[taken.length]
      taken.push(part)
      this.#taken += part.length
    }
    this.#parts = this.#parts.slice(taken.length)
    return Buffer.concat(taken)
  }

  #push(...parts: Uint8Array[]): void {
    for (const part of parts) {
      this.#parts.push(part)
      this.#end += part.length
    }
  }
}
