import { setTimeout as sleep } from 'node:timers/promises'

/** Bodies up to this size are received and read as they come: nearly all pages. */
export const LIGHT_BYTES = 256 * 1024
/** What longer ones may take together until their outcomes are read, with all workers. */
export const ROOM_BYTES = 8 * 1024 * 1024
/** A long one takes so much at first, then twice as much each time: of a slow one little is here for long. */
const FIRST_BYTES = 512 * 1024
/** Reading them may take this share of the time; what follows, keeping and learning, takes about as much again. */
const READING_SHARE = 1 / 40

/** What one answer takes of the room for long ones; it takes none before it is long. */
export interface HeavyPlace extends Disposable {
  /** So many bytes of it are here. False if there is no room for more: then `goOn` is called when there is. */
  enter(bytes: number, goOn: () => void): boolean
}

/**
 * Keeps long answers from taking all memory and time, whoever sends them: there is room for so many bytes, the others
 * wait with what has come so far, and the thread that serves all hosts reads one after the other, with rests between
 * them. The first of them may always go on, however long it is.
 */
export class HeavyAnswers {
  readonly #roomBytes: number
  readonly #onRead: () => void
  /** Bytes that each has taken, in the order they came. */
  readonly #taken = new Map<object, number>()
  #allTaken = 0
  /** Who waits for room, the first come first. */
  readonly #waiting = new Map<object, { readonly bytes: number; readonly goOn: () => void }>()
  /** The last that is to be read, and when the thread may read another. */
  #last: Promise<unknown> = Promise.resolve()
  #readyAtMs = 0

  /** There are so many workers that share the room. `onRead` is called after each that was read, and is part of it. */
  constructor(workers = 1, onRead: () => void = () => {}) {
    this.#roomBytes = ROOM_BYTES / workers
    this.#onRead = onRead
  }

  place(): HeavyPlace {
    const key = {}
    return {
      enter: (bytes, goOn) => {
        const taken = this.#taken.get(key) ?? 0
        if (bytes < taken) return true
        const wanted = Math.max(FIRST_BYTES, 2 * taken, bytes)
        if (this.#take(key, wanted, this.#waiting.size > 0)) return true
        this.#waiting.set(key, { bytes: wanted, goOn })
        return false
      },
      /** Gives its room back, or waits no longer. */
      [Symbol.dispose]: () => {
        this.#waiting.delete(key)
        this.#allTaken -= this.#taken.get(key) ?? 0
        this.#taken.delete(key)
        let isFull = false
        for (const [next, { bytes, goOn }] of this.#waiting) {
          if (this.#take(next, bytes, isFull)) {
            this.#waiting.delete(next)
            goOn()
          } else isFull = true
        }
      },
    }
  }

  /** Takes room for so many bytes in all, if there is any; the first of all always may. */
  #take(key: object, bytes: number, isFull: boolean): boolean {
    const [oldest = key] = this.#taken.keys()
    const more = bytes - (this.#taken.get(key) ?? 0)
    if (key !== oldest && (isFull || this.#allTaken + more > this.#roomBytes)) return false
    this.#taken.set(key, bytes)
    this.#allTaken += more
    return true
  }

  /** Reads a long answer in its turn. Nothing when `end` aborts before. */
  read<T>(work: () => T, end: AbortSignal): Promise<T | undefined> {
    const turn = this.#last.then(() => this.#readInTurn(work, end))
    this.#last = turn.catch(() => {})
    return turn
  }

  async #readInTurn<T>(work: () => T, end: AbortSignal): Promise<T | undefined> {
    const restMs = this.#readyAtMs - performance.now()
    if (restMs > 0) await sleep(restMs, undefined, { signal: end, ref: false }).catch(() => {})
    if (end.aborted) return undefined
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      this.#onRead()
      const ms = performance.now() - startedAt
      this.#readyAtMs = performance.now() + ms / READING_SHARE - ms
    }
  }
}
