import { setTimeout as sleep } from 'node:timers/promises'

/** Bodies up to this size are received and read as they come: nearly all pages. */
export const LIGHT_BYTES = 256 * 1024
/** Longer ones that are received, or wait to be read, at the same time. */
const MOST_HEAVY = 4
/** Reading them may take this share of the time; what follows, keeping and learning, takes about as much again. */
const READING_SHARE = 1 / 40

/** The place of one answer among the long ones; it takes none before it is long. */
export interface HeavyPlace extends Disposable {
  /** Takes a place. False if there is none yet: then `goOn` is called when there is. */
  enter(goOn: () => void): boolean
}

/**
 * Keeps long answers from taking all memory and time, whoever sends them: few are received at once, the others wait with
 * what has come so far, and the thread that serves all hosts reads one after the other, with rests between them.
 */
export class HeavyAnswers {
  #taken = 0
  /** What lets each go on, the first come first. */
  readonly #waiting = new Map<object, () => void>()
  /** The last that is to be read, and when the thread may read another. */
  #last: Promise<unknown> = Promise.resolve()
  #readyAtMs = 0

  place(): HeavyPlace {
    const key = {}
    let hasPlace = false
    const take = () => {
      hasPlace = true
      this.#taken++
    }
    return {
      enter: (goOn) => {
        if (hasPlace) return true
        if (this.#taken < MOST_HEAVY) {
          take()
          return true
        }
        this.#waiting.set(key, () => {
          take()
          goOn()
        })
        return false
      },
      /** Gives it back, or waits no longer. */
      [Symbol.dispose]: () => {
        this.#waiting.delete(key)
        if (!hasPlace) return
        hasPlace = false
        this.#taken--
        const [next] = this.#waiting
        if (!next) return
        this.#waiting.delete(next[0])
        next[1]()
      },
    }
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
      const ms = performance.now() - startedAt
      this.#readyAtMs = performance.now() + ms / READING_SHARE - ms
    }
  }
}
