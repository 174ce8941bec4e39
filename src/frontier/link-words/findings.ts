import type { SlotReader } from './reader.ts'

/** Shares of a query's weight are whole numbers of this unit, so that sums do not depend on order. */
export const WHOLE = 2 ** 20

/**
 * What was found for one query, URL by URL, while its texts are being looked at. Found n-grams are bits:
 * slot s of the query is bit s % 32 of word s >> 5, and each URL has `stride` such words.
 */
export class Findings {
  size = 0
  stride = 1
  urls = new Uint32Array(0)
  found = new Uint32Array(0)
  hits = new Uint32Array(0)
  best = new Uint32Array(0)
  urlShare = new Uint32Array(0)
  said = new Float64Array(0)
  closeness = new Float32Array(0)
  /** Sum of what was read to prefetch memory; kept so that the reads are not optimised away. */
  touched = 0
  #numberOf = new Uint32Array(0) // of a URL, + 1

  /** Starts over for a query with so many slots. */
  begin(slots: number, urlCount: number): void {
    for (let i = 0; i < this.size; i++) this.#numberOf[this.urls[i]] = 0
    if (this.#numberOf.length < urlCount) {
      const larger = new Uint32Array(Math.ceil(urlCount * 1.2))
      this.#numberOf = larger // all zero, as the old one is now
    }
    this.size = 0
    this.stride = Math.max(1, (slots + 31) >> 5)
  }

  /** The place of a URL, or -1 if nothing is kept of it. */
  placeOf(url: number): number {
    return this.#numberOf[url] - 1
  }

  /** The place of a URL, a new one if it had none. */
  open(url: number): number {
    const known = this.#numberOf[url]
    if (known > 0) return known - 1
    const place = this.size++
    if (this.size > this.urls.length || this.size * this.stride > this.found.length) this.#grow()
    this.#numberOf[url] = place + 1
    this.urls[place] = url
    this.hits[place] = 0
    this.best[place] = 0
    this.urlShare[place] = 0
    this.said[place] = 0
    this.closeness[place] = 0
    for (let word = 0; word < this.stride; word++) this.found[place * this.stride + word] = 0
    return place
  }

  /** Forgets what was found, but not of which URLs. */
  startOver(): void {
    this.hits.fill(0, 0, this.size)
    this.best.fill(0, 0, this.size)
    this.urlShare.fill(0, 0, this.size)
    this.said.fill(0, 0, this.size)
    this.closeness.fill(0, 0, this.size)
    this.found.fill(0, 0, this.size * this.stride)
  }

  /** Adds what an anchor text of so many links and words says of the URL at a place. */
  addAnchor(
    place: number,
    { mask, words, share }: SlotReader,
    links: number,
    wordCount: number,
  ): void {
    this.#markFound(place, mask)
    if (words === 0) return
    const closeness = (share / WHOLE) * Math.min(1, words / wordCount)
    this.hits[place] += links
    this.said[place] += links * share
    if (share > this.best[place]) this.best[place] = share
    if (closeness > this.closeness[place]) this.closeness[place] = closeness
  }

  /** Adds what its address says of the URL at a place. */
  addAddress(place: number, { mask, share }: SlotReader): void {
    this.#markFound(place, mask)
    this.urlShare[place] = share
  }

  #markFound(place: number, mask: Uint32Array): void {
    const { stride, found } = this
    for (let word = 0; word < stride; word++) found[place * stride + word] |= mask[word]
  }

  #grow(): void {
    const capacity = Math.max(this.size, Math.ceil(this.urls.length * 1.5), 1024)
    this.urls = enlarged(this.urls, capacity)
    this.found = enlarged(this.found, capacity * this.stride)
    this.hits = enlarged(this.hits, capacity)
    this.best = enlarged(this.best, capacity)
    this.urlShare = enlarged(this.urlShare, capacity)
    this.said = enlarged(this.said, capacity)
    this.closeness = enlarged(this.closeness, capacity)
  }
}

function enlarged<A extends Uint32Array | Float32Array | Float64Array>(values: A, size: number): A {
  if (values.length >= size) return values
  const larger = new (values.constructor as new (length: number) => A)(size)
  larger.set(values)
  return larger
}
