import { GrowingColumn } from '#numeric/grow.ts'
import { TextArena } from '#numeric/text-arena.ts'

/** What a stored copy came with, so that a server can be asked whether it is still good. */
interface CopyValidators {
  readonly etag?: string
  readonly lastModified?: string
}

/** Longer ones are no validators but a way to fill our memory. */
const MAX_CHARS = 200
const SEPARATOR = '\n'

/** ETag and Last-Modified of each stored copy. */
export class Validators {
  readonly #texts = new TextArena()
  /** By URL: the text's number + 1; 0 for none. */
  readonly #textOfUrl = new GrowingColumn(Uint32Array)

  set(url: number, { etag = '', lastModified = '' }: CopyValidators): void {
    const text = `${etag}${SEPARATOR}${lastModified}`
    const usable = text.length > 1 && text.length <= MAX_CHARS
    this.#textOfUrl.put(url, usable ? this.#texts.add(text) + 1 : 0)
  }

  of(url: number): CopyValidators | undefined {
    const text = this.#textOfUrl.get(url)
    if (text === 0) return undefined
    const [etag, lastModified] = this.#texts.at(text - 1).split(SEPARATOR)
    return { ...(etag && { etag }), ...(lastModified && { lastModified }) }
  }
}
