import type pg from 'pg'
import type { Leases } from '#crawl/leases/leases.ts'

interface Timer {
  readonly at: number
  readonly work: () => void
}

/** A clock that jumps to what somebody waits for next, as soon as nobody does anything. */
export class VirtualTime {
  #now = 1e9
  readonly #timers = new Set<Timer>()
  /** Questions that a real database works at. */
  #asked = 0

  readonly now = (): number => this.#now

  /** Gives what undoes it. */
  readonly later = (seconds: number, work: () => void): (() => void) => {
    const timer = { at: this.#now + Math.max(0, seconds), work }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  readonly sleep = (seconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const undo = this.later(seconds, resolve)
      signal?.addEventListener('abort', () => {
        undo()
        resolve()
      })
    })

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#asked++
    try {
      return await work()
    } finally {
      this.#asked--
    }
  }

  async runUntil(end: Promise<unknown>): Promise<void> {
    let isOver = false
    void end.finally(() => {
      isOver = true
    })
    while (!isOver) {
      // What follows from the last step without waiting is done before this.
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#asked === 0) this.#jump()
    }
  }

  #jump(): void {
    let next: Timer | undefined
    for (const timer of this.#timers) if (!next || timer.at < next.at) next = timer
    if (!next) return
    this.#timers.delete(next)
    this.#now = Math.max(this.#now, next.at)
    next.work()
  }
}

/** Asks one question after the other, each at the database's virtual time, which a sequence there tells. */
export class VirtualLeases {
  readonly #time: VirtualTime
  readonly #setter: pg.Client
  #queue: Promise<unknown> = Promise.resolve()

  constructor(time: VirtualTime, setter: pg.Client) {
    this.#time = time
    this.#setter = setter
  }

  /** Functions of that schema go by the virtual clock from then on. */
  async takeOver(schema: string): Promise<void> {
    await this.#setter.query(
      `SET search_path = ${schema}; CREATE SEQUENCE virtual_clock;
       CREATE OR REPLACE FUNCTION clock() RETURNS double precision LANGUAGE sql AS
       $$ SELECT last_value / 1e6::double precision FROM virtual_clock $$`,
    )
  }

  wrap(leases: Leases): Leases {
    return new Proxy(leases, {
      get: (of, name) => {
        const value = Reflect.get(of, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) =>
          this.#inTurn(() => Reflect.apply(value, of, args) as Promise<unknown>)
      },
    })
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#time.during(() => {
      const done = this.#queue.then(async () => {
        const micros = Math.round(1e6 * this.#time.now())
        await this.#setter.query({
          text: 'SELECT setval($1, $2)',
          name: 'set',
          values: ['virtual_clock', micros],
        })
        return work()
      })
      this.#queue = done.catch(() => {})
      return done
    })
  }
}
