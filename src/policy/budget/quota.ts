import { boundOf } from '#numeric/bound-of.ts'

/** A cap on the fetches of each group of URLs: their host, their domain, their pattern. */
export interface FetchQuota {
  /** The group of each URL. */
  readonly groups: Uint32Array
  /** Fetches a group may get: one number for all, or one for each group. */
  readonly most: number | ArrayLike<number>
  /** URLs that the cap is not for. */
  readonly isExempt?: (url: number) => boolean
}

/** Counts fetches of each group against its cap. */
export class Quota {
  readonly #groups: Uint32Array
  readonly #most: number | ArrayLike<number>
  readonly #isExempt: (url: number) => boolean
  readonly #taken: Uint32Array

  constructor({ groups, most, isExempt = () => false }: FetchQuota) {
    let groupCount = 0
    for (let url = 0; url < groups.length; url++) groupCount = Math.max(groupCount, groups[url] + 1)
    this.#groups = groups
    this.#most = most
    this.#isExempt = isExempt
    this.#taken = new Uint32Array(groupCount)
  }

  hasRoom(url: number): boolean {
    if (this.#isExempt(url)) return true
    const group = this.#groups[url]
    const most = typeof this.#most === 'number' ? this.#most : this.#most[group]
    return this.#taken[group] < most
  }

  take(url: number): void {
    if (!this.#isExempt(url)) this.#taken[this.#groups[url]]++
  }
}

/** What is left of a quota after these URLs took their places. */
export function quotaLeft(quota: FetchQuota, taken: readonly number[]): FetchQuota {
  const { groups, most, isExempt = () => false } = quota
  const left = Float64Array.from({ length: boundOf(groups) }, (_, group) =>
    typeof most === 'number' ? most : most[group],
  )
  for (const url of taken) if (!isExempt(url)) left[groups[url]]--
  return { ...quota, most: left }
}
