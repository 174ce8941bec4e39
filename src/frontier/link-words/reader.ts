import type { PreparedQuery } from './query.ts'

/** Queries with up to this many slots keep them in the bits of one number. */
const MOST_AT_ONCE = 31

/**
 * Reads texts for one query after another. For each text it gives the query's slots that it
 * holds, the number of content words, and the share of the query's weight.
 */
export class SlotReader {
  mask = new Uint32Array(1)
  words = 0
  share = 0
  #slotOf = new Uint16Array(0) // of an n-gram in the query at hand, + 1
  #query: PreparedQuery | undefined

  /** Turns to a query; `gramCount` n-grams may occur in texts. */
  begin(query: PreparedQuery, gramCount: number): void {
    for (const gram of this.#query?.grams ?? []) this.#slotOf[gram] = 0
    if (this.#slotOf.length < gramCount) this.#slotOf = new Uint16Array(gramCount)
    query.grams.forEach((gram, slot) => {
      this.#slotOf[gram] = slot + 1
    })
    this.#query = query
    this.mask = new Uint32Array(query.stride)
    this.#judge(query)
  }

  /** Takes a text to hold the query's first slot and no other, without reading it. */
  presumeFirst(query: PreparedQuery): void {
    this.mask[0] = 1
    this.#judge(query)
  }

  /** Reads the run that starts here (see `NgramRuns`); false if it holds no slot, and nothing is changed. */
  read(runs: Uint32Array, start: number, query: PreparedQuery): boolean {
    if (query.grams.length > MOST_AT_ONCE) return this.#readForLongQuery(runs, start, query)
    const slotOf = this.#slotOf
    const end = start + runs[start]
    let bits = 0
    // Slot 0 sets no bit; without a branch, as it could not be predicted.
    for (let i = start + 1; i <= end; i++) bits |= (1 << slotOf[runs[i]]) >>> 1
    if (bits === 0) return false
    if (this.mask[0] === bits >>> 0) return true
    this.mask[0] = bits
    this.#judge(query)
    return true
  }

  #readForLongQuery(runs: Uint32Array, start: number, query: PreparedQuery): boolean {
    const mask = this.mask.fill(0)
    let any = false
    for (let i = 1; i <= runs[start]; i++) {
      const slot = this.#slotOf[runs[start + i]] - 1
      if (slot < 0) continue
      mask[slot >> 5] |= 1 << (slot & 31)
      any = true
    }
    this.#judge(query)
    return any
  }

  #judge(query: PreparedQuery): void {
    this.words = query.wordsOf(this.mask, 0)
    this.share = query.shareOf(this.mask, 0)
  }
}
