import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { CollapsedText } from './collapsed-text.ts'
import { Declarations } from './declarations.ts'
import { detached } from './detached.ts'
import {
  BLOCK,
  CELL,
  type Element,
  HEAD,
  INERT,
  KNOWN_ELEMENTS,
  SILENT,
  UNSEEN,
  VOID,
} from './html-elements.ts'
import { votingBits } from './link-relation.ts'
import { OpenElements } from './open-elements.ts'
import {
  AGENT_TOKEN,
  type Link,
  MAX_ANCHOR_CHARS,
  MAX_LINKS,
  MAX_TEXT_CHARS,
  MAX_TITLE_CHARS,
  type ParsedPage,
} from './page.ts'
import { TagAttributes } from './tag-attributes.ts'

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
export function parseHtml(html: string, url: string, agentToken = AGENT_TOKEN): ParsedPage {
  const reader = new PageReader(html, agentToken)
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
  readonly #declarations: Declarations

  // The tag being read.
  #element: Element = SVG
  readonly #attributes = new TagAttributes()

  // How many open elements hush the text or links within them.
  #silent = 0
  #unseen = 0
  #inert = 0
  #inHead = true
  #inTitle = false
  #titleDone = false

  // The link being read.
  #link: RawLink | undefined
  #imageText = ''
  readonly #anchor = new CollapsedText(MAX_ANCHOR_CHARS)

  constructor(html: string, agentToken: string) {
    this.#html = html
    this.#declarations = new Declarations(agentToken)
  }

  page(url: string): ParsedPage {
    const resolve = this.#declarations.resolver(url)
    const links: Link[] = []
    for (const { href, anchor, rel } of this.#links) {
      const target = resolve(href)
      if (target !== undefined) links.push({ url: detached(target), anchor, rel })
    }
    return {
      form: 'page',
      title: this.#title.toString(),
      text: this.#text.toString(),
      links,
      ...this.#declarations.declared(url, resolve),
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
    this.#attributes.clear()
  }

  onattribname(start: number, end: number): void {
    this.#attributes.begin(this.#html, start, end)
  }

  onattribdata(start: number, end: number): void {
    this.#attributes.add(this.#html, start, end)
  }

  onattribentity(codePoint: number): void {
    this.#attributes.add(String.fromCodePoint(codePoint))
  }

  onattribend(): void {
    this.#attributes.end()
  }

  onopentagend(): void {
    const element = this.#element
    if (element.traits & BLOCK && this.isInForeignContext()) this.#leaveForeignContent()
    if (!(element.traits & HEAD) && this.#unseen + this.#inert === 0) this.#inHead = false
    this.#open.closeBefore(element)
    this.#part(element)
    this.#readTag(element)
    if (element.traits & VOID) return
    const { hidden } = this.#attributes.values
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
    const { href, rel, alt, lang } = this.#attributes.values
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
        this.#declarations.readBase(href)
        return
      case 'link': {
        if (!href || this.#inert > 0) return
        const inHead = this.#inHead && this.#text.isEmpty
        this.#addLink(href, this.#declarations.readLink(this.#attributes.values, href, inHead))
        return
      }
      case 'meta':
        this.#readMeta()
        return
      case 'html':
        this.#declarations.readLanguage(lang)
    }
  }

  #readMeta(): void {
    const { name, content, 'http-equiv': header } = this.#attributes.values
    if (content === undefined || this.#inert > 0) return
    if (name !== undefined) this.#declarations.readRobots(name, content)
    // In noscript it leads those without scripts to a page that tells them so.
    if (header !== undefined && this.#unseen === 0 && /^\s*refresh\s*$/i.test(header))
      this.#addLink(this.#declarations.readRefresh(content), 0)
  }

  /** A link that shows no words. */
  #addLink(href: string | undefined, rel: number | undefined): void {
    if (href === undefined || rel === undefined || this.#links.length >= MAX_LINKS) return
    this.#links.push({ href, rel, anchor: '' })
  }

  #startLink(href: string, rel: string | undefined): void {
    // A jump within the page leads to no other.
    if (this.#inert > 0 || this.#links.length >= MAX_LINKS || href.startsWith('#')) return
    this.#link = { href, rel: rel === undefined ? 0 : votingBits(rel), anchor: '' }
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
