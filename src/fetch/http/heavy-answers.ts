import { setTimeout as sleep } from 'node:timers/promises'

/** Bodies up to this size are received and read as they come: nearly all pages. */
export const LIGHT_BYTES = 256 * 1024
/** What longer ones have beyond that, all together, until their outcomes are read. */
export const ROOM_BYTES = 16 * 1024 * 1024
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
 * them. The first of them may always go on, however long it is; so one that is slow keeps nobody else waiting.
 */
export class HeavyAnswers {
  /** Bytes of each that is here, in the order they came. */
  readonly #bytes = new Map<object, number>()
  #taken = 0
  /** What lets each go on, the first come first. */
  readonly #waiting = new Map<object, () => void>()
  /** The last that is to be read, and when the thread may read another. */
  #last: Promise<unknown> = Promise.resolve()
  #readyAtMs = 0

  place(): HeavyPlace {
    const key = {}
    return {
      enter: (bytes, goOn) => {
        const heavy = Math.max(bytes - LIGHT_BYTES, 0)
        this.#taken += heavy - (this.#bytes.get(key) ?? 0)
        this.#bytes.set(key, heavy)
        if (this.#mayGoOn(key)) return true
        this.#waiting.set(key, goOn)
        return false
      },
      /** Gives its room back, or waits no longer. */
      [Symbol.dispose]: () => {
        this.#waiting.delete(key)
        this.#taken -= this.#bytes.get(key) ?? 0
        this.#bytes.delete(key)
        for (const [next, goOn] of this.#waiting) {
          if (!this.#mayGoOn(next)) continue
          this.#waiting.delete(next)
          goOn()
        }
      },
    }
  }

  /** Reads a long answer in its turn. Nothing when `end` aborts before. */
  read<T>(work: () => T, end: AbortSignal): Promise<T | undefined> {
    const turn = this.#last.then(() => this.#readInTurn(work, end))
    this.#last = turn.catch(() => {})
    return turn
  }

  #mayGoOn(key: object): boolean {
    const [oldest] = this.#bytes.keys()
    return key === oldest || this.#taken <= ROOM_BYTES
  }

  async #readInTurn<T>(work: () => T, end: AbortSignal): Promise<T | undefined> {
    const restMs = this.#readyAtMs - performance.now()
    if (restMs > 0) await sleep(restMs, undefined, { signal: end, ref: false }).catch(() => {})
    if (end.aborted) return undefined
    const startedAt = performance.now()
    try {
      return work()
    } finally {
      const ms = performance.now() - startedAt
      this.#readyAtMs = performance.now() + ms / READING_SHARE - ms
    }
  }
}
