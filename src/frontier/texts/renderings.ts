/** What is known of a page's rendering; see `RENDERING_STATES`. */
type RenderingState = 'thin' | 'shell' | 'done' | 'fruitless' | 'failed'

/** A sign that a page needs its scripts. */
type RenderSign = 'thin' | 'shell'

/** Which copies are what scripts made of them, and which pages might be rendered. There are few of either. */
export class Renderings {
  readonly #signs = new Map<number, RenderSign>()
  readonly #rendered = new Set<number>()

  /** A page was fetched; `isNew` if what it says is. */
  note(url: number, state: RenderingState | undefined, isNew: boolean): void {
    if (state === 'thin' || state === 'shell') {
      if (!isNew) return
      this.#signs.set(url, state)
      this.#rendered.delete(url)
      return
    }
    if (state === undefined && !isNew) return
    // It was tried, or there is nothing to try.
    this.#signs.delete(url)
    if (state === 'done') this.#rendered.add(url)
    else if (isNew) this.#rendered.delete(url)
  }

  forget(url: number): void {
    this.#signs.delete(url)
    this.#rendered.delete(url)
  }

  /** By what sign a page might be rendered that was not yet. */
  signOf(url: number): RenderSign | undefined {
    return this.#signs.get(url)
  }

  /** Whether the copy is what scripts made of the page: it takes a rendering to have it again. */
  isRendered(url: number): boolean {
    return this.#rendered.has(url)
  }

  /** Pages that might be rendered, ascending. */
  awaiting(): Uint32Array {
    return Uint32Array.from(this.#signs.keys()).sort()
  }
}
