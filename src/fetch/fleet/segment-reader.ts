import type { Leases, StoredSegment } from '#crawl/leases/leases.ts'
import type { SegmentStore } from '#crawl/segments/segment-store.ts'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import {
  type Segment,
  type SegmentOutcome,
  segmentFiles,
  unpackedLines,
  unpackedSegment,
} from './segment.ts'

/** How far a crawl has read the segments of its fleet. */
export interface FleetCursor {
  /** The segment, and how many of its outcomes. */
  readonly sequence: number
  readonly place: number
  /** What the outcomes that were read have cost, and those that the store has lost. */
  readonly spent: number
  readonly missing: number
}

export const FIRST_CURSOR: FleetCursor = { sequence: 0, place: 0, spent: 0, missing: 0 }

interface SegmentReaderOptions {
  readonly leases: Leases
  readonly store: SegmentStore
  readonly cursor: FleetCursor
  /** Hears of every segment once, before its outcomes. */
  readonly onSegment: (segment: Segment) => void
  /** Nothing will come of this request, or came before. */
  readonly onSkipped: (line: SegmentOutcome) => void
  readonly onLost: (name: string, reason: string) => void
}

/** One outcome, with its records if some were kept. */
export interface ReadOutcome extends SegmentOutcome {
  readonly fleet: NonNullable<FetchOutcome['fleet']>
  readonly records?: Uint8Array
}

/** A file that is not there by then will not come. */
export const PATIENT_READS = 20
/** Names of so many segments are remembered, in case one is reported twice. */
const NAMES_KEPT = 1_000

/** Reads what workers stored, in the order in which it was accepted, each outcome once. */
export class SegmentReader {
  readonly #options: SegmentReaderOptions
  #cursor: FleetCursor
  /** Told by the database and not read. */
  #waiting: StoredSegment[] = []
  #current: { readonly stored: StoredSegment; readonly segment: Segment } | undefined
  #place = 0
  #vainReads = 0
  readonly #givenUp = new Set<number>()
  /** Read whole, and still in the store. */
  #names: { readonly sequence: number; readonly name: string }[] = []
  #committed = 0

  constructor(options: SegmentReaderOptions) {
    this.#options = options
    this.#cursor = options.cursor
  }

  get cursor(): FleetCursor {
    return this.#cursor
  }

  /** Segments that were accepted and not read. */
  get lag(): number {
    return this.#waiting.length + (this.#current ? 1 : 0)
  }

  /** The next outcome that is there by now. */
  async next(): Promise<ReadOutcome | undefined> {
    for (;;) {
      if (!this.#current && !(await this.#openNext())) return undefined
      const { stored, segment } = this.#current!
      const { sequence, worker } = stored
      const line = segment.outcomes[this.#place]
      if (!line) {
        this.#finish(stored)
        continue
      }
      const place = ++this.#place
      const cost = costOf(line.outcome)
      const isRepeated = isIn(stored.repeated, line)
      this.#cursor = { ...this.#cursor, sequence, place }
      if (isRepeated) {
        this.#options.onSkipped(line)
        continue
      }
      this.#cursor = { ...this.#cursor, spent: this.#cursor.spent + cost }
      const records = line.warc && segment.warc.subarray(...line.warc)
      return { ...line, fleet: { sequence, place, worker }, records }
    }
  }

  /** All that waits to be read. */
  async waiting(): Promise<readonly StoredSegment[]> {
    return this.#options.leases.segments(this.#after)
  }

  /** URLs of what a segment has that is not read; undefined if the store cannot give it now. One that is damaged has none. */
  async urlsIn(stored: StoredSegment): Promise<readonly number[] | undefined> {
    const lines = await this.#options.store.get(segmentFiles(stored.name).lines)
    if (!lines) return undefined
    const unread = outcomesIn(lines).slice(this.#placeIn(stored))
    return unread.filter((line) => !isIn(stored.repeated, line)).map(({ outcome }) => outcome.id)
  }

  /** Is not waited for any more, and not read should it come: what it has may be fetched again. */
  giveUp({ sequence }: StoredSegment): void {
    this.#givenUp.add(sequence)
  }

  /** The last segment that is read whole, as far as the cursor tells. */
  get #after(): number {
    const { sequence, place } = this.#cursor
    return place > 0 ? sequence - 1 : sequence
  }

  /** How many outcomes of it are read. */
  #placeIn(stored: StoredSegment): number {
    const { sequence, place } = this.#cursor
    return stored.sequence === sequence ? place : 0
  }

  /** What was read by the call before this is durable: it can be removed. */
  async removeCommitted(): Promise<void> {
    const { store, leases } = this.#options
    const done = this.#names.filter(({ sequence }) => sequence <= this.#committed)
    this.#names = this.#names.filter(({ sequence }) => sequence > this.#committed)
    this.#committed = this.#cursor.sequence
    for (const { name } of done) {
      const { lines, warc } = segmentFiles(name)
      await store.remove(lines)
      await store.remove(warc)
    }
    if (done.length > 0) await leases.forgetSegments(this.#committed - NAMES_KEPT)
  }

  async #openNext(): Promise<boolean> {
    const { leases, store, onSegment, onLost } = this.#options
    if (this.#waiting.length === 0) this.#waiting = [...(await leases.segments(this.#after))]
    const [stored] = this.#waiting
    if (!stored) return false
    const files = segmentFiles(stored.name)
    const isGivenUp = this.#givenUp.has(stored.sequence)
    const get = (file: string) => (isGivenUp ? undefined : store.get(file))
    const [lines, warc] = await Promise.all([get(files.lines), get(files.warc)])
    try {
      if (!lines || !warc) throw new Error('it is not there')
      const segment = unpackedSegment(lines, warc)
      this.#waiting.shift()
      this.#vainReads = 0
      this.#place = this.#placeIn(stored)
      this.#current = { stored, segment }
      onSegment(segment)
    } catch (error) {
      if (!isGivenUp && ++this.#vainReads < PATIENT_READS) return false
      this.#vainReads = 0
      this.#waiting.shift()
      onLost(stored.name, (error as Error).message)
      this.#finish(stored)
    }
    return true
  }

  /** So much was paid for that the store has lost. */
  countMissing(cost: number): void {
    this.#cursor = { ...this.#cursor, missing: this.#cursor.missing + cost }
  }

  #finish({ sequence, name }: StoredSegment): void {
    this.#current = undefined
    this.#place = 0
    this.#names.push({ sequence, name })
    this.#cursor = { ...this.#cursor, sequence, place: 0 }
  }
}

function outcomesIn(lines: Uint8Array): readonly SegmentOutcome[] {
  try {
    return unpackedLines(lines).outcomes
  } catch {
    return []
  }
}

function isIn(repeated: StoredSegment['repeated'], { epoch, rank, position }: SegmentOutcome) {
  return repeated.some(
    (each) => each.epoch === epoch && each.rank === rank && each.positions.includes(position),
  )
}
