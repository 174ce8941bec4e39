/** Counts fetches of each group, a host or a domain, against one limit for all. */
export class Quota {
  readonly #groups: Uint32Array
  readonly #limit: number
  readonly #taken: Uint32Array

  /** `groups` gives each URL's group. */
  constructor(groups: Uint32Array, limit: number) {
    let groupCount = 0
    for (let url = 0; url < groups.length; url++) groupCount = Math.max(groupCount, groups[url] + 1)
    this.#groups = groups
    this.#limit = limit
    this.#taken = new Uint32Array(groupCount)
  }

  hasRoom(url: number): boolean {
    return this.#taken[this.#groups[url]] < this.#limit
  }

  take(url: number): void {
    this.#taken[this.#groups[url]]++
  }
}
