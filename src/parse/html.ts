import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { urlResolver } from './canonical-url.ts'
import { CollapsedText } from './collapsed-text.ts'
import { detached } from './detached.ts'
import {
  BLOCK,
  CELL,
  type Element,
  INERT,
  KNOWN_ELEMENTS,
  SILENT,
  UNSEEN,
  VOID,
} from './html-elements.ts'
import { OpenElements } from './open-elements.ts'
import {
  type Link,
  MAX_ANCHOR_CHARS,
  MAX_LINKS,
  MAX_TEXT_CHARS,
  MAX_TITLE_CHARS,
  type ParsedPage,
  REL_NOFOLLOW,
  REL_SPONSORED,
  REL_UGC,
} from './page.ts'

const ATTRIBUTES = ['href', 'rel', 'alt', 'name', 'content', 'lang', 'hidden'] as const
type Attribute = (typeof ATTRIBUTES)[number]
const LONGEST_ATTRIBUTE = 7
const ATTRIBUTE_NAMES: ReadonlyMap<string, Attribute> = new Map(ATTRIBUTES.map((n) => [n, n]))

const SVG = KNOWN_ELEMENTS.get('svg')!
const MATH = KNOWN_ELEMENTS.get('math')!
const FOREIGN_OBJECT = KNOWN_ELEMENTS.get('foreignobject')!

/** A link as written; what its address means is known only once the page's `<base>` is. */
interface RawLink {
  readonly href: string
  readonly rel: number
  anchor: string
}

/**
 * What a page says, from its markup, however malformed, in time linear in its length.
 *
 * Text in an element with the `hidden` attribute, or in noscript, is not visible text, but links
 * there count and keep their anchors. `aria-hidden` hides from screen readers only, and style
 * sheets are not read, so neither hides anything here.
 */
export function parseHtml(html: string, url: string): ParsedPage {
  const reader = new PageReader(html)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  tokenizer.write(html)
  tokenizer.end()
  return reader.page(url)
}

/** Hears htmlparser2's tokens (places in the source, so that nothing is cut out in vain). */
class PageReader implements TokenizerCallbacks {
  readonly #html: string
  readonly #open = new OpenElements((element, hidden) => this.#closed(element, hidden))
  readonly #title = new CollapsedText(MAX_TITLE_CHARS)
  readonly #text = new CollapsedText(MAX_TEXT_CHARS)
  readonly #links: RawLink[] = []
  #base: string | undefined
  #canonical: string | undefined
  #language: string | undefined
  #noindex = false
  #nofollow = false

  // The tag being read.
  #element: Element = SVG
  #attribute: Attribute | undefined
  #value = ''
  #attributes: Partial<Record<Attribute, string>> = {}

  // How many open elements hush the text or links within them.
  #silent = 0
  #unseen = 0
  #inert = 0
  #inTitle = false
  #titleDone = false

  // The link being read.
  #link: RawLink | undefined
  #imageText = ''
  readonly #anchor = new CollapsedText(MAX_ANCHOR_CHARS)

  constructor(html: string) {
    this.#html = html
  }

  page(url: string): ParsedPage {
    const base = (this.#base !== undefined && URL.parse(this.#base, url)?.href) || url
    const resolve = urlResolver(/^https?:/.test(base) ? base : url)
    const links: Link[] = []
    for (const { href, anchor, rel } of this.#links) {
      const target = resolve(href)
      if (target !== undefined) links.push({ url: detached(target), anchor, rel })
    }
    const canonical = this.#canonical === undefined ? undefined : resolve(this.#canonical)
    return {
      title: this.#title.toString(),
      text: this.#text.toString(),
      links,
      ...(canonical !== undefined && { canonical: detached(canonical) }),
      ...(this.#language !== undefined && { language: detached(this.#language) }),
      noindex: this.#noindex,
      nofollow: this.#nofollow,
    }
  }

  ontext(start: number, end: number): void {
    // A page that ends within an end tag (`</p `) makes htmlparser2 12 report text from -1.
    if (start >= 0) this.#addText(this.#html, start, end)
  }

  ontextentity(codePoint: number): void {
    this.#addText(String.fromCodePoint(codePoint))
  }

  oncdata(start: number, end: number, endLength: number): void {
    if (this.isInForeignContext()) this.#addText(this.#html, start, end - endLength)
  }

  onopentagname(start: number, end: number): void {
    this.#element = this.#open.named(this.#html.slice(start, end).toLowerCase())
    this.#attribute = undefined
    this.#value = ''
    this.#attributes = {}
  }

  onattribname(start: number, end: number): void {
    this.#attribute =
      end - start > LONGEST_ATTRIBUTE
        ? undefined
        : ATTRIBUTE_NAMES.get(this.#html.slice(start, end).toLowerCase())
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute) this.#value += this.#html.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    if (this.#attribute) this.#value += String.fromCodePoint(codePoint)
  }

  onattribend(): void {
    if (this.#attribute) this.#attributes[this.#attribute] ??= this.#value // the first one counts
  }

  onopentagend(): void {
    const element = this.#element
    if (element.traits & BLOCK && this.isInForeignContext()) this.#leaveForeignContent()
    this.#open.closeBefore(element)
    this.#part(element)
    this.#readTag(element)
    if (element.traits & VOID) return
    const { hidden } = this.#attributes
    // Text that is hidden "until found" is there to be found.
    const isHidden = hidden !== undefined && hidden.toLowerCase() !== 'until-found'
    this.#open.open(element, isHidden)
    if (element.traits & SILENT) this.#silent++
    if (element.traits & INERT) this.#inert++
    if (isHidden || element.traits & UNSEEN) this.#unseen++
  }

  onselfclosingtag(): void {
    const closes = this.isInForeignContext()
    this.onopentagend()
    if (closes) this.#open.close(this.#element)
  }

  onclosetag(start: number, end: number): void {
    const element = this.#open.named(this.#html.slice(start, end).toLowerCase())
    if (!this.#open.close(element)) this.#part(element) // a stray </p> or </br> still parts
  }

  isInForeignContext(): boolean {
    if (!this.#open.has(SVG) && !this.#open.has(MATH)) return false
    return !this.#open.has(FOREIGN_OBJECT)
  }

  onend(): void {
    this.#open.closeAll()
    this.#endLink()
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  /** An HTML block cannot be part of a drawing or formula: somebody forgot the end tag. */
  #leaveForeignContent(): void {
    this.#open.close(SVG)
    this.#open.close(MATH)
  }

  #addText(source: string, start = 0, end = source.length): void {
    if (this.#inTitle) this.#title.add(source, start, end)
    if (this.#silent > 0) return
    if (this.#unseen === 0) this.#text.add(source, start, end)
    if (this.#link) this.#anchor.add(source, start, end)
  }

  #part(element: Element): void {
    if (!(element.traits & (BLOCK | CELL))) return
    this.#text.gap(element.traits & BLOCK ? '\n' : ' ')
    this.#anchor.gap(' ')
  }

  #closed(element: Element, hidden: boolean): void {
    this.#part(element)
    if (element.traits & SILENT) this.#silent--
    if (element.traits & INERT) this.#inert--
    if (hidden || element.traits & UNSEEN) this.#unseen--
    if (element.name === 'a') this.#endLink()
    else if (element.name === 'title' && this.#inTitle) {
      this.#inTitle = false
      this.#titleDone = !this.#title.isEmpty
    }
  }

  #readTag(element: Element): void {
    const { href, rel, alt, name, content, lang } = this.#attributes
    switch (element.name) {
      case 'a':
        this.#endLink() // links do not nest
        if (href !== undefined) this.#startLink(href, rel)
        return
      case 'area':
        this.#endLink()
        if (href === undefined) return
        this.#startLink(href, rel)
        if (this.#link && alt) this.#anchor.add(alt)
        this.#endLink()
        return
      case 'img':
        if (this.#link && alt && this.#imageText === '') this.#imageText = alt
        return
      case 'title':
        this.#inTitle = !this.#titleDone && !this.isInForeignContext()
        return
      case 'base':
        this.#base ??= href
        return
      case 'link':
        if (rel && href && this.#inert === 0 && hasWord(rel, 'canonical')) this.#canonical ??= href
        return
      case 'meta':
        if (name !== undefined && content !== undefined) this.#readMeta(name, content)
        return
      case 'html':
        if (lang !== undefined) this.#language ??= languageTag(lang)
    }
  }

  #readMeta(name: string, content: string): void {
    if (!/^\s*(?:robots|forager)\s*$/i.test(name)) return
    this.#noindex ||= hasWord(content, 'noindex') || hasWord(content, 'none')
    this.#nofollow ||= hasWord(content, 'nofollow') || hasWord(content, 'none')
  }

  #startLink(href: string, rel: string | undefined): void {
    // A jump within the page leads to no other.
    if (this.#inert > 0 || this.#links.length >= MAX_LINKS || href.startsWith('#')) return
    this.#link = { href, rel: rel === undefined ? 0 : relBits(rel), anchor: '' }
    this.#links.push(this.#link)
  }

  #endLink(): void {
    if (!this.#link) return
    if (this.#anchor.isEmpty && this.#imageText !== '') this.#anchor.add(this.#imageText)
    this.#link.anchor = this.#anchor.toString()
    this.#link = undefined
    this.#imageText = ''
    this.#anchor.clear()
  }
}

function relBits(rel: string): number {
  return (
    (hasWord(rel, 'nofollow') ? REL_NOFOLLOW : 0) |
    (hasWord(rel, 'ugc') ? REL_UGC : 0) |
    (hasWord(rel, 'sponsored') ? REL_SPONSORED : 0)
  )
}

/** Whether a list parted by white space or commas has the (lower-case) word. */
function hasWord(list: string, word: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .includes(word)
}

function languageTag(lang: string): string | undefined {
  const tag = lang.trim().toLowerCase().replaceAll('_', '-')
  return /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,5}$/.test(tag) ? tag : undefined
}
