import { boundOf } from '#numeric/bound-of.ts'

/** The limits that a plan keeps to: settings, and what a crawl imposes on itself. */
export type LimitName =
  | 'perHost'
  | 'perDomain'
  | 'maxPagesPerHost'
  | 'maxPagesPerDomain'
  /** Of single hosts. */
  | 'maxPages'
  /** Addresses of this shape brought nothing new lately. */
  | 'pattern'
  /** New hosts of a lineage share what its good pages have earned. */
  | 'new hosts'
  /** Sitemaps and feeds of a site are to be read first, or it was never contacted. */
  | 'first contact'

/** A cap on the fetches of each group of URLs: their host, their domain, their pattern. */
export interface FetchQuota {
  /** Whose cap it is, if somebody may ask. */
  readonly name?: LimitName
  /** The group of each URL. */
  readonly groups: Uint32Array
  /** Fetches a group may get: one number for all, or one for each group. */
  readonly most: number | ArrayLike<number>
  /** Fetches that count already, by group; a group beyond the end had none. */
  readonly before?: ArrayLike<number>
  /** URLs that the cap is not for. */
  readonly isExempt?: (url: number) => boolean
}

/** A named cap that leaves a URL no room. */
export interface FullQuota {
  readonly name: LimitName
  readonly most: number
  readonly taken: number
}

/** Counts fetches of each group against its cap. */
class Quota {
  readonly #quota: FetchQuota
  readonly #taken: Uint32Array

  constructor(quota: FetchQuota) {
    this.#quota = quota
    this.#taken = takenOf(quota)
  }

  hasRoom(url: number): boolean {
    if (this.#quota.isExempt?.(url)) return true
    return this.#taken[this.#quota.groups[url]] < this.#mostFor(url)
  }

  take(url: number): void {
    const { groups, isExempt } = this.#quota
    if (!isExempt?.(url)) this.#taken[groups[url]]++
  }

  /** What leaves the URL no room, if anything that has a name does. */
  fullFor(url: number): FullQuota[] {
    const { name, groups } = this.#quota
    if (name === undefined || this.hasRoom(url)) return []
    return [{ name, most: this.#mostFor(url), taken: this.#taken[groups[url]] }]
  }

  #mostFor(url: number): number {
    const { most, groups } = this.#quota
    return typeof most === 'number' ? most : most[groups[url]]
  }
}

/** The room that quotas leave while a plan grows. */
export class QuotaState {
  readonly #quotas: readonly Quota[]

  constructor({ quotas = [] }: { readonly quotas?: readonly FetchQuota[] }) {
    this.#quotas = quotas.map((quota) => new Quota(quota))
  }

  hasRoom(url: number): boolean {
    return this.#quotas.every((quota) => quota.hasRoom(url))
  }

  /** Takes a place for the URL; false if some group of it is full. */
  take(url: number): boolean {
    if (!this.hasRoom(url)) return false
    for (const quota of this.#quotas) quota.take(url)
    return true
  }

  /** The named quotas that leave the URL no room. */
  fullFor(url: number): FullQuota[] {
    return this.#quotas.flatMap((quota) => quota.fullFor(url))
  }
}

/** What is left of a quota after these URLs took their places. */
export function quotaLeft(quota: FetchQuota, urls: readonly number[]): FetchQuota {
  const before = takenOf(quota)
  for (const url of urls) if (!quota.isExempt?.(url)) before[quota.groups[url]]++
  return { ...quota, before }
}

function takenOf({ groups, before = [] }: FetchQuota): Uint32Array<ArrayBuffer> {
  const taken = new Uint32Array(Math.max(boundOf(groups), before.length))
  taken.set(before)
  return taken
}
