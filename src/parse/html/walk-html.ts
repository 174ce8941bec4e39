import { ElementNames } from './element-names.ts'
import { type ContentKind, MARKUP } from './html-content.ts'
import { BLOCK, CELL, type Element, KNOWN_ELEMENTS, SILENT, VOID } from './html-elements.ts'
import { type HtmlHandler, scanHtml } from './html-scanner.ts'
import { OpenElements } from './open-elements.ts'
import { TagAttributes } from './tag-attributes.ts'

const SVG = KNOWN_ELEMENTS.get('svg')!
const MATH = KNOWN_ELEMENTS.get('math')!

/** Hears of a page's elements, as they open and close, in order. */
export interface ElementWalker {
  /** Elements without content close at once. */
  open(element: WalkedElement, attributes: TagAttributes): void
  close(element: WalkedElement): void
  text(source: string, start: number, end: number): void
}

export interface WalkedElement {
  /** Lower case. */
  readonly name: string
  /** Parts the words within it from those around it. */
  readonly parts: boolean
  /** What is in it is not shown. */
  readonly isSilent: boolean
}

/** Walks through the elements of a page, however malformed, in time linear in its length. */
export function walkHtml(html: string, walker: ElementWalker): void {
  const reader = new Walk(html, walker)
  scanHtml(html, reader)
  reader.end()
}

class Walk implements HtmlHandler {
  readonly attributes = new TagAttributes()
  readonly #html: string
  readonly #walker: ElementWalker
  readonly #names = new ElementNames()
  readonly #open = new OpenElements((element) => this.#walker.close(walked(element)))

  constructor(html: string, walker: ElementWalker) {
    this.#html = html
    this.#walker = walker
  }

  open(start: number, end: number): ContentKind {
    const element = this.#names.at(this.#html, start, end)
    const isForeign = this.isInForeignContent()
    this.#open.closeBefore(element)
    this.#walker.open(walked(element), this.attributes)
    this.#open.open(element, 0)
    const closesItself = (isForeign || element === SVG) && this.attributes.isSelfClosing
    if (element.traits & VOID || closesItself) this.#open.closeInnermost()
    return isForeign ? MARKUP : element.content
  }

  close(start: number, end: number): void {
    this.#open.close(this.#names.at(this.#html, start, end))
  }

  text(source: string, start: number, end: number): void {
    this.#walker.text(source, start, end)
  }

  get innermost(): string {
    return this.#open.innermost
  }

  closeInnermost(): void {
    this.#open.closeInnermost()
  }

  isInForeignContent(): boolean {
    return this.#open.has(SVG) || this.#open.has(MATH)
  }

  end(): void {
    this.#open.closeAll()
  }
}

const seen = new WeakMap<Element, WalkedElement>()

function walked(element: Element): WalkedElement {
  const known = seen.get(element)
  if (known) return known
  const { name, traits } = element
  const made = { name, parts: (traits & (BLOCK | CELL)) !== 0, isSilent: (traits & SILENT) !== 0 }
  seen.set(element, made)
  return made
}
