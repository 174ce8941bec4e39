/** A limb holds numbers below this; the units of limbs are so many times one another. */
const LIMB = 2 ** 52
const HIGH_UNIT = 2 ** 22
const MIDDLE_UNIT = 2 ** -30
const LOW_UNIT = 2 ** -82
/** So many of them are 1: to multiply is faster than to divide, and as exact. */
const MIDDLE_PARTS = 2 ** 30
const LOW_PARTS = 2 ** 82

/** A sum as whole numbers of 2^22, 2^-30 and 2^-82. */
export type SumLimbs = readonly [high: number, middle: number, low: number]

/**
 * A sum of numbers from 0 to 2^74 that does not depend on their order, nor on who added which, as sums of doubles do: a
 * whole number of 2^-82, in three limbs. What is smaller than that is dropped from each term.
 */
export class ExactSum {
  #high = 0
  #middle = 0
  #low = 0

  add(term: number): void {
    let rest = term
    if (rest >= HIGH_UNIT) {
      const high = Math.floor(rest / HIGH_UNIT)
      this.#high += high
      rest -= high * HIGH_UNIT
    }
    const middle = Math.floor(rest * MIDDLE_PARTS)
    this.#carry(middle, Math.floor((rest - middle * MIDDLE_UNIT) * LOW_PARTS))
  }

  /** Adds another sum. */
  addLimbs([high, middle, low]: SumLimbs): void {
    this.#high += high
    this.#carry(middle, low)
  }

  /** What another process needs to add it to its own. */
  get limbs(): SumLimbs {
    return [this.#high, this.#middle, this.#low]
  }

  get value(): number {
    return this.#high * HIGH_UNIT + (this.#middle * MIDDLE_UNIT + this.#low * LOW_UNIT)
  }

  #carry(middle: number, low: number): void {
    this.#low += low
    this.#middle += middle
    if (this.#low >= LIMB) {
      this.#low -= LIMB
      this.#middle++
    }
    if (this.#middle >= LIMB) {
      this.#middle -= LIMB
      this.#high++
    }
  }
}
