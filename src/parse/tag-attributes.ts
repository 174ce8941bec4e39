const NAMES = [
  ...(['href', 'rel', 'alt', 'name', 'content', 'lang', 'hidden'] as const),
  ...(['type', 'hreflang', 'http-equiv'] as const),
] as const
type Name = (typeof NAMES)[number]

const BY_NAME: ReadonlyMap<string, Name> = new Map(NAMES.map((name) => [name, name]))
/** Bit n is set if a name of n characters is among them: `class` and `id` need no further look. */
const LENGTHS = NAMES.reduce((bits, { length }) => bits | (1 << length), 0)

/** The attributes of the tag being read, as far as the reader looks at them. */
export class TagAttributes {
  #name: Name | undefined
  #value = ''
  #values: Partial<Record<Name, string>> = {}

  get values(): Readonly<Partial<Record<Name, string>>> {
    return this.#values
  }

  /** A new tag begins. */
  clear(): void {
    this.#name = undefined
    this.#value = ''
    this.#values = {}
  }

  /** An attribute begins, named html[start .. end). */
  begin(html: string, start: number, end: number): void {
    const length = end - start
    this.#name =
      length < 32 && (LENGTHS >> length) & 1
        ? BY_NAME.get(html.slice(start, end).toLowerCase())
        : undefined
    this.#value = ''
  }

  /** A piece of its value. */
  add(html: string, start = 0, end = html.length): void {
    if (this.#name) this.#value += html.slice(start, end)
  }

  /** Of two with one name the first counts. */
  end(): void {
    if (this.#name) this.#values[this.#name] ??= this.#value
  }
}
