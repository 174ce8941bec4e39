/** What is known of a page's rendering; see `RENDERING_STATES`. */
type RenderingState = 'thin' | 'shell' | 'done' | 'fruitless' | 'failed' | 'unasked'

/** A sign that a page needs its scripts. */
type RenderSign = 'thin' | 'shell'

/** Which copies are what scripts made of them, and which pages might be rendered. There are few of either. */
export class Renderings {
  readonly #signs = new Map<number, RenderSign>()
  readonly #rendered = new Set<number>()
  /** Of the signs, those of pages that nobody was going to render. */
  readonly #unasked = new Set<number>()

  /** A page was fetched; `isNew` if what it says is. */
  note(url: number, state: RenderingState | undefined, isNew: boolean): void {
    if (state === 'thin' || state === 'shell' || state === 'unasked') {
      if (!isNew) return
      this.#signs.set(url, state === 'unasked' ? 'shell' : state)
      this.#rendered.delete(url)
      if (state === 'unasked') this.#unasked.add(url)
      else this.#unasked.delete(url)
      return
    }
    if (state === undefined && !isNew) return
    // It was tried, or there is nothing to try.
    this.#signs.delete(url)
    this.#unasked.delete(url)
    if (state === 'done') this.#rendered.add(url)
    else if (isNew) this.#rendered.delete(url)
  }

  forget(url: number): void {
    this.#signs.delete(url)
    this.#unasked.delete(url)
    this.#rendered.delete(url)
  }

  /** By what sign a page might be rendered that was not yet. */
  signOf(url: number): RenderSign | undefined {
    return this.#signs.get(url)
  }

  /** Whether a page is a frame for those who crawl, not a page like any other. */
  isFrame(url: number): boolean {
    return this.#signs.has(url) && !this.#unasked.has(url)
  }

  /** Whether the copy is what scripts made of the page: it takes a rendering to have it again. */
  isRendered(url: number): boolean {
    return this.#rendered.has(url)
  }

  /** Pages that are all but sure to say next to nothing until their scripts run. */
  get frames(): number {
    return [...this.#signs.values()].filter((sign) => sign === 'shell').length
  }

  /** Pages that might be rendered, ascending. */
  awaiting(): Uint32Array {
    return Uint32Array.from(this.#signs.keys()).sort()
  }
}
