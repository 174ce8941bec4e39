/** An answer is first called late after this share of the shortest call. */
const FIRST_SHARE = 1 / 20
/** Any server may take so long, and this machine may be busy. */
const LEAST_SECONDS = 0.2
/** A new plan must not take more than this share of the time. */
const PLANNING_SHARE = 1 / 10

/**
 * When an answer counts as late, so that a call had better end than wait for it: others could be sent something after a
 * new plan. Calls that could send nothing were ended in vain, and make it wait for longer; so does dear planning.
 */
export class LateAnswers {
  readonly #least: number
  readonly #most: number
  #seconds: number
  #planningSeconds = 0
  #endedAt: number | undefined

  constructor({ minCallSeconds }: { readonly minCallSeconds: number }) {
    this.#least = Math.max(minCallSeconds * FIRST_SHARE, LEAST_SECONDS)
    this.#most = Math.max(minCallSeconds, this.#least)
    this.#seconds = this.#least
  }

  get seconds(): number {
    return Math.max(this.#seconds, this.#planningSeconds / PLANNING_SHARE)
  }

  /** A call begins: what went by since the last one was spent on learning and planning. */
  beginCall(now: number): void {
    if (this.#endedAt !== undefined) this.#planningSeconds = now - this.#endedAt
  }

  endCall(now: number, sent: number): void {
    this.#endedAt = now
    const seconds = sent === 0 ? 2 * this.#seconds : this.#seconds / 2
    this.#seconds = Math.min(this.#most, Math.max(this.#least, seconds))
  }
}
