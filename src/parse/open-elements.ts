import { type Element, KNOWN_ELEMENTS } from './html-elements.ts'

/**
 * The elements open at one place of a document. Every operation takes amortised constant time, at
 * any depth of nesting; htmlparser2's own Parser moves and searches its whole stack at every tag.
 */
export class OpenElements {
  readonly #onClose: (element: Element, hidden: boolean) => void
  readonly #strangers = new Map<string, Element>()
  readonly #stack: Element[] = []
  readonly #hidden: boolean[] = [] // hidden[i] belongs to stack[i]
  readonly #counts: number[] = new Array(KNOWN_ELEMENTS.size).fill(0) // open elements by id

  /** `onClose` hears of every element that ends, innermost first. */
  constructor(onClose: (element: Element, hidden: boolean) => void) {
    this.#onClose = onClose
  }

  /** The element of a lower-case name. */
  named(name: string): Element {
    return KNOWN_ELEMENTS.get(name) ?? this.#strangers.get(name) ?? this.#addStranger(name)
  }

  has(element: Element): boolean {
    return this.#counts[element.id] > 0
  }

  open(element: Element, hidden: boolean): void {
    this.#stack.push(element)
    this.#hidden.push(hidden)
    this.#counts[element.id]++
  }

  /** Ends the innermost such element and all within it; false if none is open. */
  close(element: Element): boolean {
    if (!this.has(element)) return false
    while (this.#pop() !== element);
    return true
  }

  /** Ends what may be left unended before `next`: a paragraph wherever it is, other things on top. */
  closeBefore(next: Element): void {
    const ends = next.ends
    if (ends.length === 0) return
    if (ends[0] === 'p') this.close(this.named('p'))
    else while (this.#stack.length > 0 && ends.includes(this.#stack.at(-1)!.name)) this.#pop()
  }

  closeAll(): void {
    while (this.#stack.length > 0) this.#pop()
  }

  #pop(): Element {
    const element = this.#stack.pop()!
    this.#counts[element.id]--
    this.#onClose(element, this.#hidden.pop()!)
    return element
  }

  #addStranger(name: string): Element {
    const id = this.#counts.length
    const element: Element = { id, name, traits: 0, ends: [] }
    this.#strangers.set(name, element)
    this.#counts.push(0)
    return element
  }
}
