import { MARKUP } from './html-content.ts'
import { type Element, KNOWN_ELEMENTS } from './html-elements.ts'

/** Unknown names that are distinguished in one document; all further ones count as one. */
const MAX_STRANGERS = 10_000
const OTHER = stranger(KNOWN_ELEMENTS.size, '')
const NAME_SLOTS = 1024
// Open addressing by `slotOf`: an empty slot ends the search.
const SLOTS: (Element | undefined)[] = new Array(NAME_SLOTS).fill(undefined)
for (const element of KNOWN_ELEMENTS.values()) {
  let slot = slotOf(element.name, 0, element.name.length)
  while (SLOTS[slot]) slot = (slot + 1) % NAME_SLOTS
  SLOTS[slot] = element
}

/** Finds elements by the names in one document, most of them without cutting the name out. */
export class ElementNames {
  readonly #strangers = new Map<string, Element>()

  /** The element named html[start .. end), in whatever case; the name is not empty. */
  at(html: string, start: number, end: number): Element {
    for (let slot = slotOf(html, start, end); ; slot = (slot + 1) % NAME_SLOTS) {
      const element = SLOTS[slot]
      if (!element) return this.#stranger(html.slice(start, end))
      if (isNamed(element, html, start, end)) return element
    }
  }

  #stranger(name: string): Element {
    // Only ASCII letters have case here: `linK` with a Kelvin sign is no link.
    const lower = name.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
    const known = this.#strangers.get(lower)
    if (known) return known
    if (this.#strangers.size >= MAX_STRANGERS) return OTHER
    const element = stranger(KNOWN_ELEMENTS.size + 1 + this.#strangers.size, lower)
    this.#strangers.set(lower, element)
    return element
  }
}

function stranger(id: number, name: string): Element {
  return { id, name, traits: 0, content: MARKUP, groups: 0, ends: 0 }
}

/** From the length and the letters at both ends, which is enough to tell most names apart. */
function slotOf(html: string, start: number, end: number): number {
  const first = html.charCodeAt(start) & 31
  const second = start + 1 < end ? html.charCodeAt(start + 1) & 31 : 0
  return (
    (first * 37 + second * 11 + (html.charCodeAt(end - 1) & 31) * 5 + (end - start) * 129) %
    NAME_SLOTS
  )
}

function isNamed({ name }: Element, html: string, start: number, end: number): boolean {
  const length = end - start
  if (name.length !== length) return false
  for (let i = 0; i < length; i++) {
    const code = html.charCodeAt(start + i)
    const lower = code >= 0x41 && code <= 0x5a ? code | 32 : code
    if (lower !== name.charCodeAt(i)) return false
  }
  return true
}
