import { setTimeout as sleep } from 'node:timers/promises'

/** Bodies up to this size are received and read as they come: nearly all pages. */
export const LIGHT_BYTES = 256 * 1024
/** All longer ones together, received or waiting to be read; beyond it only the oldest goes on. */
export const HEAVY_BYTES = 16 * 1024 * 1024
/** Reading them may take this share of the time; what follows, keeping and learning, takes about as much again. */
const READING_SHARE = 1 / 40

/** The place of one answer among the long ones; it takes none before it is long. */
export interface HeavyPlace extends Disposable {
  /**
   * It has come so far, and is to be so long if that was announced. False if it must not go on for now: then `goOn` is
   * called when it may.
   */
  hold(bytes: number, announced: number, goOn: () => void): boolean
}

interface Held {
  bytes: number
  /** What it needs to go on, and what lets it, if it waits. */
  waits?: { readonly bytes: number; readonly goOn: () => void }
}

/**
 * Keeps long answers from taking all memory and time, whoever sends them: together they hold few bytes, the others wait
 * with what has come so far, and the thread that serves all hosts reads one after the other, with rests between them.
 */
export class HeavyAnswers {
  #bytes = 0
  /** The first come first. */
  readonly #places = new Set<Held>()
  /** The last that is to be read, and when the thread may read another. */
  #last: Promise<unknown> = Promise.resolve()
  #readyAtMs = 0

  /** `onWait` is told when the answer has to wait for others. */
  place(onWait: () => void = () => {}): HeavyPlace {
    const place: Held = { bytes: 0 }
    return {
      hold: (bytes, announced, goOn) => {
        this.#places.add(place)
        this.#resize(place, Math.max(bytes, place.bytes))
        const needed = Math.max(bytes, announced)
        if (this.#fits(place, needed)) {
          this.#resize(place, needed)
          return true
        }
        place.waits = { bytes: needed, goOn }
        onWait()
        return false
      },
      /** Gives it back, or waits no longer. */
      [Symbol.dispose]: () => {
        this.#resize(place, 0)
        if (this.#places.delete(place)) this.#letGoOn()
      },
    }
  }

  #resize(place: Held, bytes: number): void {
    this.#bytes += bytes - place.bytes
    place.bytes = bytes
  }

  /** The oldest always does, or all would wait for each other. */
  #fits(place: Held, bytes: number): boolean {
    const [oldest] = this.#places
    return place === oldest || this.#bytes - place.bytes + bytes <= HEAVY_BYTES
  }

  #letGoOn(): void {
    for (const place of this.#places) {
      if (!place.waits) continue
      const { bytes, goOn } = place.waits
      if (!this.#fits(place, bytes)) return
      place.waits = undefined
      this.#resize(place, bytes)
      goOn()
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
