/** Scripts are asked for once in so long: all pages of a site run the same ones. */
const KEPT_MS = 10 * 60_000
const MOST_BYTES = 32 << 20

interface Kept<Value> {
  readonly value: Value
  readonly bytes: number
  readonly until: number
}

/** What was asked for lately, up to a number of bytes; the oldest go first. */
export class ScriptCache<Value> {
  readonly #kept = new Map<string, Kept<Value>>()
  #bytes = 0

  get(url: string): Value | undefined {
    const kept = this.#kept.get(url)
    if (!kept) return undefined
    if (kept.until > performance.now()) return kept.value
    this.#drop(url, kept)
    return undefined
  }

  set(url: string, value: Value, bytes: number): void {
    const before = this.#kept.get(url)
    if (before) this.#drop(url, before)
    this.#kept.set(url, { value, bytes, until: performance.now() + KEPT_MS })
    this.#bytes += bytes
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= MOST_BYTES) break
      this.#drop(oldest, kept)
    }
  }

  #drop(url: string, { bytes }: Kept<Value>): void {
    this.#kept.delete(url)
    this.#bytes -= bytes
  }
}
