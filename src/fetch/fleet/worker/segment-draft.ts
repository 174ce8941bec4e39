import type { FetcherMemory } from '#crawl/ports.ts'
import type { FetchOutcome, KeptExchanges, KeptRecord } from '#learn/entries/outcome.ts'
import type { Segment, SegmentOutcome } from '../segment.ts'
import type { HeldBatch } from './held-batch.ts'

/** Keeps what went over the wire until its segment is stored: one stream of records, counted from the worker's start. */
export interface SegmentWarc {
  /** From where to where the records of an outcome lie. */
  spanOf(kept: KeptExchanges): readonly [start: number, end: number]
  /** Gives what lies before that byte and was not given yet. */
  takeTo(end: number): Uint8Array
}

/** What is done of a batch, and which of that cost nothing. */
interface Done {
  readonly positions: number[]
  readonly free: number[]
}

/** A segment as it grows, and what is to be reported once it is stored. */
export class SegmentDraft {
  readonly outcomes: SegmentOutcome[] = []
  readonly done = new Map<HeldBatch, Done>()
  readonly paces: Record<string, number> = {}
  /** Of the worker's records, where its own begin, and end so far. */
  readonly #warc: SegmentWarc
  readonly #warcStart: number
  #warcEnd: number

  constructor(warc: SegmentWarc, warcStart: number) {
    this.#warc = warc
    this.#warcStart = warcStart
    this.#warcEnd = warcStart
  }

  /** Bytes of records. */
  get size(): number {
    return this.#warcEnd - this.#warcStart
  }

  get warcEnd(): number {
    return this.#warcEnd
  }

  add(batch: HeldBatch, outcome: FetchOutcome): void {
    const { epoch, rank } = batch.lease
    const { position, isFree } = batch.answer(outcome)
    this.outcomes.push({ epoch, rank, position, ...this.#placed(outcome) })
    const done = this.done.get(batch) ?? { positions: [], free: [] }
    this.done.set(batch, done)
    done.positions.push(position)
    if (isFree) done.free.push(position)
  }

  /** Offsets are counted from the first record of the outcome: where that will lie, the planner decides. */
  #placed(outcome: FetchOutcome): Pick<SegmentOutcome, 'outcome' | 'warc'> {
    const { kept } = outcome
    if (!kept) return { outcome }
    const [start, end] = this.#warc.spanOf(kept)
    this.#warcEnd = end
    const placed = (record: KeptRecord) => ({ ...record, offset: record.offset - start })
    const { own, robots } = kept
    return {
      outcome: {
        ...outcome,
        kept: { ...(own && { own: placed(own) }), robots: robots.map(placed) },
      },
      warc: [start - this.#warcStart, end - this.#warcStart],
    }
  }

  sealed(
    worker: string,
    { memory, forgotten }: { readonly memory: FetcherMemory; readonly forgotten: string[] },
    addresses: Readonly<Record<string, string>>,
  ): Segment {
    const { outcomes, paces } = this
    const warc = this.#warc.takeTo(this.#warcEnd)
    return { worker, outcomes, memory, forgotten, paces, addresses, warc }
  }
}

/** Of what a fetcher knows of hosts, what nobody was told yet. */
export class ToldMemory {
  readonly #states = new Map<string, string>()
  readonly #trusts = new Map<string, string>()
  #robotsSince = 0

  get robotsSince(): number {
    return this.#robotsSince
  }

  changes(known: FetcherMemory): { readonly memory: FetcherMemory; readonly forgotten: string[] } {
    const hosts = new Set(known.hostStates.map(({ host }) => host))
    const forgotten = [...this.#states.keys()].filter((host) => !hosts.has(host))
    for (const host of forgotten) this.#states.delete(host)
    const robotsRecords = known.robotsRecords.filter(
      ({ fetchedAt }) => fetchedAt > this.#robotsSince,
    )
    for (const { fetchedAt } of robotsRecords)
      this.#robotsSince = Math.max(this.#robotsSince, fetchedAt)
    return {
      memory: {
        hostStates: changed(known.hostStates, this.#states),
        hostTrusts: changed(known.hostTrusts, this.#trusts),
        robotsRecords,
      },
      forgotten,
    }
  }
}

function changed<T extends { readonly host: string }>(
  all: readonly T[],
  told: Map<string, string>,
): T[] {
  return all.filter((each) => {
    const text = JSON.stringify(each)
    if (told.get(each.host) === text) return false
    told.set(each.host, text)
    return true
  })
}
