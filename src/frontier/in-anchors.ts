import { GrowingColumn } from '#numeric/grow.ts'

/** So many different wordings say all there is to say of a page; menus repeat theirs endlessly. */
const MOST_WORDINGS = 30

/**
 * What links call each URL: distinct anchor texts, newest first, as a chain for each URL. heads[url]
 * is the latest entry + 1; nexts[entry] the one before.
 */
export class InAnchors {
  readonly #heads = new GrowingColumn(Uint32Array)
  readonly #counts = new GrowingColumn(Uint8Array)
  readonly #anchors = new GrowingColumn(Uint32Array)
  readonly #nexts = new GrowingColumn(Uint32Array)

  /** Notes that a link calls the URL so; the same wording counts once. */
  add(url: number, anchor: number): void {
    while (this.#heads.length <= url) {
      this.#heads.push(0)
      this.#counts.push(0)
    }
    if (this.#counts.at(url) >= MOST_WORDINGS) return
    for (let entry = this.#heads.at(url); entry > 0; entry = this.#nexts.at(entry - 1))
      if (this.#anchors.at(entry - 1) === anchor) return
    this.#nexts.push(this.#heads.at(url))
    this.#heads.set(url, this.#anchors.push(anchor) + 1)
    this.#counts.set(url, this.#counts.at(url) + 1)
  }

  countOf(url: number): number {
    return url < this.#counts.length ? this.#counts.at(url) : 0
  }

  /** Numbers of the anchor texts, newest first. */
  of(url: number): number[] {
    const found: number[] = []
    let entry = url < this.#heads.length ? this.#heads.at(url) : 0
    for (; entry > 0; entry = this.#nexts.at(entry - 1)) found.push(this.#anchors.at(entry - 1))
    return found
  }
}
