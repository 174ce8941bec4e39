import type { Birth } from './weekly-truth.ts'

/** How long new pages waited. Means are over all that were born, in weeks. */
export interface BirthDelays {
  readonly born: number
  /** Of those: found, and fetched, by now. */
  readonly known: number
  readonly held: number
  /**
   * Weeks after whose fetches the page was there and its address still unknown (or its content not held): 0 if
   * found in the week of its birth. Null if none was born.
   */
  readonly weeksUnknown: number | null
  readonly weeksUnheld: number | null
}

/** Watches, week by week, which of the pages born since the start a crawl has found. */
export class BirthWatch {
  readonly #births: readonly Birth[]
  readonly #isKnown: Uint8Array
  readonly #isHeld: Uint8Array
  #week = 0
  #unknownWeeks = 0
  #unheldWeeks = 0

  constructor(births: readonly Birth[]) {
    this.#births = births
    this.#isKnown = new Uint8Array(births.length)
    this.#isHeld = new Uint8Array(births.length)
  }

  /** Looks after a week's fetches; what was known or held once stays so. */
  look(week: number, isKnown: (page: number) => boolean, isHeld: (page: number) => boolean): void {
    this.#week = week
    this.#births.forEach(({ page, born, lastLive }, i) => {
      if (born > week) return
      if (isKnown(page)) this.#isKnown[i] = 1
      if (isHeld(page)) this.#isHeld[i] = 1
      if (lastLive < week) return
      this.#unknownWeeks += 1 - this.#isKnown[i]
      this.#unheldWeeks += 1 - this.#isHeld[i]
    })
  }

  delays(): BirthDelays {
    const born = this.#births.filter((birth) => birth.born <= this.#week).length
    const mean = (weeks: number) => (born === 0 ? null : weeks / born)
    return {
      born,
      known: count(this.#isKnown),
      held: count(this.#isHeld),
      weeksUnknown: mean(this.#unknownWeeks),
      weeksUnheld: mean(this.#unheldWeeks),
    }
  }
}

function count(flags: Uint8Array): number {
  return flags.reduce((sum, flag) => sum + flag, 0)
}
