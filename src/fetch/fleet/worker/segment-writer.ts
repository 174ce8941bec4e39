import type { FetcherMemory } from '#crawl/ports.ts'
import type { SegmentStore } from '#crawl/segments/segment-store.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { packedLines, type Segment, segmentFiles } from '../segment.ts'
import type { HeldBatch } from './held-batch.ts'
import { SegmentDraft, type SegmentWarc, ToldMemory } from './segment-draft.ts'

interface SegmentWriterOptions {
  readonly worker: string
  readonly store: SegmentStore
  readonly warc: SegmentWarc
  /** Where domains were found since this was last asked. */
  readonly takeAddresses: () => Readonly<Record<string, string>>
}

/** A segment that nothing is added to any more. */
interface Sealed {
  readonly name: string
  readonly draft: SegmentDraft
  readonly segment: Segment
  isStored: boolean
}

/** Of records; what is not stored lies in memory. */
const LARGE_BYTES = 16 * 2 ** 20

const NOTHING = { memory: { hostStates: [], hostTrusts: [], robotsRecords: [] }, forgotten: [] }

/** What came of requests, on its way to the store: one segment grows, and at most one before it is not reported yet. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions
  readonly #told = new ToldMemory()
  #draft: SegmentDraft
  #sealed: Sealed | undefined
  #count = 0
  #addresses: Record<string, string> = {}

  constructor(options: SegmentWriterOptions) {
    this.#options = options
    this.#draft = new SegmentDraft(options.warc, 0)
  }

  add(batch: HeldBatch, outcome: FetchOutcome, pace: number): void {
    this.#draft.add(batch, outcome)
    this.#draft.paces[hostOf(outcome.url)] = pace
  }

  /** A domain was found there: the next segment tells the planner. */
  noteAddress(domain: string, address: string): void {
    this.#addresses[domain] = address
  }

  get isEmpty(): boolean {
    return this.#draft.outcomes.length === 0 && !this.#sealed
  }

  /** A segment should not wait for longer. */
  get isLarge(): boolean {
    return this.#draft.size > LARGE_BYTES
  }

  /** Whether what is sealed still waits to be stored. */
  get isBehind(): boolean {
    return this.#sealed !== undefined && !this.#sealed.isStored
  }

  /** What is stored, and to be reported. */
  get stored(): Pick<Sealed, 'name' | 'draft'> | undefined {
    return this.#sealed?.isStored ? this.#sealed : undefined
  }

  /** Whether something came of the batch that is not stored. */
  lacks(batch: HeldBatch): boolean {
    return this.#draft.done.has(batch) || (this.isBehind && this.#sealed!.draft.done.has(batch))
  }

  get robotsSince(): number {
    return this.#told.robotsSince
  }

  /** Ends the segment that grows, unless the one before it is still under way. */
  seal(known: FetcherMemory | undefined): void {
    if (this.#sealed || this.#draft.outcomes.length === 0) return
    const { worker, warc, takeAddresses } = this.#options
    const draft = this.#draft
    this.#draft = new SegmentDraft(warc, draft.warcEnd)
    const changes = known ? this.#told.changes(known) : NOTHING
    const segment = draft.sealed(worker, changes, { ...this.#addresses, ...takeAddresses() })
    this.#addresses = {}
    const name = `${worker}-${String(++this.#count).padStart(6, '0')}`
    this.#sealed = { name, draft, segment, isStored: false }
  }

  async store(): Promise<void> {
    const sealed = this.#sealed
    if (!sealed || sealed.isStored) return
    const { store } = this.#options
    const files = segmentFiles(sealed.name)
    await store.put(files.warc, sealed.segment.warc)
    await store.put(files.lines, packedLines(sealed.segment))
    sealed.isStored = true
  }

  reported(): void {
    this.#sealed = undefined
  }
}
