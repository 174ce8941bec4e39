/** Who waits for a turn, first come first served. However many wait, each costs the same. */
export class Turns<T> {
  /** Those from `#next` on wait; before it nobody does. */
  #waiting: (T | undefined)[] = []
  #next = 0

  get size(): number {
    return this.#waiting.length - this.#next
  }

  push(item: T): void {
    if (this.#next > 32 && this.#next > this.size) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    this.#waiting.push(item)
  }

  /** Removes and gives the first. */
  take(): T | undefined {
    if (this.size === 0) return undefined
    const item = this.#waiting[this.#next]
    this.#waiting[this.#next++] = undefined
    return item
  }

  /** To the head: it was there before the others. */
  putBack(item: T): void {
    if (this.#next > 0) this.#waiting[--this.#next] = item
    else this.#waiting.unshift(item)
  }
}
