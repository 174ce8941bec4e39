import { hash64, lastHash64 } from '#numeric/hash.ts'

/** Words of a row: the address as its hash, who waits for a place (one bit a worker), then two for each worker. */
const LOW = 0
const HIGH = 1
const WAITING = 2
const FIRST_WORKER = 3
/** Of a worker: its requests under way there, and its domains that are there. */
const ACTIVE = 0
const DOMAINS = 1

/** The table's own words: its lock, and rows in use. */
const LOCK = 0
const USED = 1
const HEAD = 2

const FREE = 0
const HELD = 1
const AWAITED = 2
/** Whoever holds the lock for longer is no more. */
const LOST_MS = 10_000

const LOCAL_ROWS = 1 << 10
const SHARED_ROWS = 1 << 17
/** Beyond this part of all rows, a table of one's own grows. In a shared one, addresses beyond it have one row together. */
const FULL = 0.8

/** As many as there are bits in a word. */
export const MOST_WORKERS = 32

/**
 * Who is at which address, over all workers: an address may serve domains of several of them. One small table that all
 * threads share, under one lock that is held for less than a microsecond.
 */
export class AddressPlaces {
  readonly #workers: number
  readonly #own: number
  readonly #isShared: boolean
  #words: Int32Array

  constructor(workers = 1, own = 0, shared?: Int32Array) {
    this.#workers = workers
    this.#own = own
    this.#isShared = shared !== undefined
    this.#words = shared ?? new Int32Array(HEAD + LOCAL_ROWS * this.#rowWords)
  }

  /** Memory for so many workers to share. */
  static memory(workers: number): Int32Array {
    const words = HEAD + SHARED_ROWS * (FIRST_WORKER + 2 * workers)
    return new Int32Array(new SharedArrayBuffer(4 * words))
  }

  /** Who wants to hear that an address has a place that was none of this worker's before; for workers elsewhere. */
  whenFree(_onFree: (address: string) => void): void {}

  /** Takes a place, if fewer than `limit` are taken for the domains that are there. */
  take(address: string, limit: (domains: number) => number): boolean {
    return this.#locked(() => {
      const row = this.#rowOf(address)
      if (this.#sum(row, ACTIVE) >= limit(this.#sum(row, DOMAINS))) return false
      this.#words[this.#cell(row, this.#own, ACTIVE)]++
      return true
    })
  }

  isFull(address: string, limit: (domains: number) => number): boolean {
    return this.#locked(() => {
      const row = this.#find(address)
      if (row < 0) return false
      return this.#sum(row, ACTIVE) >= limit(this.#sum(row, DOMAINS))
    })
  }

  give(address: string): void {
    this.#add(address, ACTIVE, -1)
  }

  /** One more of this worker's domains is there. */
  moveIn(address: string): void {
    this.#add(address, DOMAINS, 1)
  }

  moveOut(address: string): void {
    this.#add(address, DOMAINS, -1)
  }

  /** Whether this worker waits for a place there. */
  wait(address: string, isWaiting: boolean): void {
    if (!this.#isShared) return
    this.#locked(() => {
      const row = this.#rowOf(address)
      const bit = 1 << this.#own
      if (isWaiting) this.#words[row + WAITING] |= bit
      else this.#words[row + WAITING] &= ~bit
      this.#dropIfEmpty(row)
    })
  }

  /** The next worker after this one that waits there, by turns; undefined if none of the others does. */
  nextWaiting(address: string): number | undefined {
    if (!this.#isShared) return undefined
    return this.#locked(() => {
      const row = this.#find(address)
      const waiting = row < 0 ? 0 : this.#words[row + WAITING]
      for (let step = 1; step < this.#workers; step++) {
        const worker = (this.#own + step) % this.#workers
        if (waiting & (1 << worker)) return worker
      }
      return undefined
    })
  }

  /** A worker is no more: it holds nothing, and waits for nothing. */
  forget(worker: number): void {
    this.#locked(() => {
      const rows = (this.#words.length - HEAD) / this.#rowWords
      for (let number = rows - 1; number >= 0; number--) {
        const row = HEAD + number * this.#rowWords
        if (this.#words[row + HIGH] === 0) continue
        this.#words[this.#cell(row, worker, ACTIVE)] = 0
        this.#words[this.#cell(row, worker, DOMAINS)] = 0
        this.#words[row + WAITING] &= ~(1 << worker)
      }
    })
  }

  get #rowWords(): number {
    return FIRST_WORKER + 2 * this.#workers
  }

  #cell(row: number, worker: number, count: number): number {
    return row + FIRST_WORKER + 2 * worker + count
  }

  #sum(row: number, count: number): number {
    let sum = 0
    for (let worker = 0; worker < this.#workers; worker++)
      sum += this.#words[this.#cell(row, worker, count)]
    return sum
  }

  #add(address: string, count: number, more: number): void {
    this.#locked(() => {
      const row = more > 0 ? this.#rowOf(address) : this.#takenRow(address)
      const cell = this.#cell(row, this.#own, count)
      this.#words[cell] = Math.max(0, this.#words[cell] + more)
      this.#dropIfEmpty(row)
    })
  }

  /** The address's row; -1 if it has none. */
  #find(address: string): number {
    const row = this.#slot(address)
    return this.#words[row + HIGH] === 0 ? -1 : row
  }

  /** The row in which something was taken for the address. */
  #takenRow(address: string): number {
    const row = this.#find(address)
    return row < 0 ? this.#rowOfTheRest() : row
  }

  /** The address's row, which may be new. */
  #rowOf(address: string): number {
    const row = this.#slot(address)
    if (this.#words[row + HIGH] !== 0) return row
    const rows = (this.#words.length - HEAD) / this.#rowWords
    if (this.#words[USED] >= FULL * rows) {
      // All that find no row share one: too polite, and never the other way.
      if (this.#isShared) return this.#rowOfTheRest()
      this.#grow()
      return this.#rowOf(address)
    }
    return this.#occupy(row)
  }

  #rowOfTheRest(): number {
    const row = this.#slot('')
    return this.#words[row + HIGH] === 0 ? this.#occupy(row) : row
  }

  #occupy(row: number): number {
    this.#words[row + LOW] = lastHash64[0]
    this.#words[row + HIGH] = lastHash64[1] | 1
    this.#words[USED]++
    return row
  }

  /** Where the address is, or belongs; leaves its hash behind. */
  #slot(address: string): number {
    hash64(address)
    const low = lastHash64[0] | 0
    const high = lastHash64[1] | 1
    const rows = (this.#words.length - HEAD) / this.#rowWords
    for (let number = (low >>> 0) & (rows - 1); ; number = (number + 1) & (rows - 1)) {
      const row = HEAD + number * this.#rowWords
      const found = this.#words[row + HIGH]
      if (found === 0 || (found === high && this.#words[row + LOW] === low)) return row
    }
  }

  /** Rows behind an empty one move up, so that they are still found. */
  #dropIfEmpty(row: number): void {
    for (let word = WAITING; word < this.#rowWords; word++)
      if (this.#words[row + word] !== 0) return
    this.#words[USED]--
    const rows = (this.#words.length - HEAD) / this.#rowWords
    let hole = (row - HEAD) / this.#rowWords
    for (let number = (hole + 1) & (rows - 1); ; number = (number + 1) & (rows - 1)) {
      const at = HEAD + number * this.#rowWords
      if (this.#words[at + HIGH] === 0) break
      const home = (this.#words[at + LOW] >>> 0) & (rows - 1)
      if (((number - home) & (rows - 1)) < ((number - hole) & (rows - 1))) continue
      this.#words.copyWithin(HEAD + hole * this.#rowWords, at, at + this.#rowWords)
      hole = number
    }
    const last = HEAD + hole * this.#rowWords
    this.#words.fill(0, last, last + this.#rowWords)
  }

  #grow(): void {
    const before = this.#words
    this.#words = new Int32Array(HEAD + 2 * (before.length - HEAD))
    this.#words[LOCK] = before[LOCK]
    this.#words[USED] = before[USED]
    const rows = (this.#words.length - HEAD) / this.#rowWords
    for (let at = HEAD; at < before.length; at += this.#rowWords) {
      if (before[at + HIGH] === 0) continue
      let number = (before[at + LOW] >>> 0) & (rows - 1)
      while (this.#words[HEAD + number * this.#rowWords + HIGH] !== 0)
        number = (number + 1) & (rows - 1)
      this.#words.set(before.subarray(at, at + this.#rowWords), HEAD + number * this.#rowWords)
    }
  }

  #locked<T>(work: () => T): T {
    if (!this.#isShared) return work()
    if (Atomics.compareExchange(this.#words, LOCK, FREE, HELD) !== FREE)
      while (Atomics.exchange(this.#words, LOCK, AWAITED) !== FREE)
        if (Atomics.wait(this.#words, LOCK, AWAITED, LOST_MS) === 'timed-out') break
    try {
      return work()
    } finally {
      if (Atomics.exchange(this.#words, LOCK, FREE) === AWAITED)
        Atomics.notify(this.#words, LOCK, 1)
    }
  }
}
