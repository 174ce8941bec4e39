import { type Element, ENDS_PARAGRAPH, KNOWN_ELEMENTS } from './html-elements.ts'

const PARAGRAPH = KNOWN_ELEMENTS.get('p')!

/**
 * The elements open at one place of a document. Every operation takes amortised constant time, at
 * any depth of nesting.
 */
export class OpenElements {
  readonly #onClose: (element: Element, flags: number) => void
  readonly #stack: Element[] = []
  readonly #flags: number[] = [] // flags[i] belongs to stack[i]
  readonly #counts: number[] = new Array(KNOWN_ELEMENTS.size).fill(0) // open elements by id

  /** `onClose` is called for every element that ends, innermost first. */
  constructor(onClose: (element: Element, flags: number) => void) {
    this.#onClose = onClose
  }

  has(element: Element): boolean {
    return this.#counts[element.id] > 0
  }

  /** With flags that are given back when it closes. */
  open(element: Element, flags: number): void {
    this.#stack.push(element)
    this.#flags.push(flags)
    while (element.id >= this.#counts.length) this.#counts.push(0)
    this.#counts[element.id]++
  }

  /** The name of the innermost element; '' if none is open. */
  get innermost(): string {
    return this.#stack.length > 0 ? this.#stack[this.#stack.length - 1].name : ''
  }

  /** Ends the innermost element, of which there must be one. */
  closeInnermost(): void {
    this.#pop()
  }

  /** Ends the innermost such element and all within it; false if none is open. */
  close(element: Element): boolean {
    if (!this.has(element)) return false
    while (this.#pop() !== element);
    return true
  }

  /** Ends what may be left unended before `next`: a paragraph wherever it is, other things on top. */
  closeBefore(next: Element): void {
    if (next.traits & ENDS_PARAGRAPH) this.close(PARAGRAPH)
    if (next.ends === 0) return
    while (this.#stack.length > 0 && this.#stack.at(-1)!.groups & next.ends) this.#pop()
  }

  closeAll(): void {
    while (this.#stack.length > 0) this.#pop()
  }

  #pop(): Element {
    const element = this.#stack.pop()!
    this.#counts[element.id]--
    this.#onClose(element, this.#flags.pop()!)
    return element
  }
}
