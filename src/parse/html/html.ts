import { votingBits } from '../page/link-relation.ts'
import {
  AGENT_TOKEN,
  type Link,
  MAX_ANCHOR_CHARS,
  MAX_LINKS,
  MAX_TITLE_CHARS,
  type ParsedPage,
} from '../page/page.ts'
import { withData } from '../page/page-data.ts'
import { scriptNeed } from '../page/script-need.ts'
import { StructuredData } from '../structured/structured-data.ts'
import { CollapsedText } from '../text/collapsed-text.ts'
import { detached } from '../text/detached.ts'
import { Declarations } from './declarations.ts'
import { ElementNames } from './element-names.ts'
import { type ContentKind, MARKUP } from './html-content.ts'
import {
  BLOCK,
  CELL,
  type Element,
  HEAD,
  INERT,
  KNOWN_ELEMENTS,
  PART,
  PLACE,
  SILENT,
  TELLING,
  UNSEEN,
  VOID,
} from './html-elements.ts'
import { type HtmlHandler, scanHtml } from './html-scanner.ts'
import { readMicrodata } from './microdata.ts'
import { OpenElements } from './open-elements.ts'
import { PageLines } from './page-lines.ts'
import { IS_HIDDEN, IS_PLACE, partOfPage } from './page-parts.ts'
import {
  ALT,
  CONTENT,
  HIDDEN,
  HREF,
  HREFLANG,
  HTTP_EQUIV,
  ITEMSCOPE,
  LANG,
  NAME,
  PROPERTY,
  REL,
  TagAttributes,
  TYPE,
} from './tag-attributes.ts'
import { VisibleText } from './visible-text.ts'

const SVG = KNOWN_ELEMENTS.get('svg')!
const MATH = KNOWN_ELEMENTS.get('math')!
const ANCHOR = KNOWN_ELEMENTS.get('a')!
const TITLE = KNOWN_ELEMENTS.get('title')!
const SCRIPT = KNOWN_ELEMENTS.get('script')!
const JSON_LD = /^\s*application\/ld\+json\b/i
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
  scanHtml(html, reader)
  reader.end()
  return reader.page(url)
}

class PageReader implements HtmlHandler {
  readonly #html: string
  readonly #names = new ElementNames()
  readonly attributes = new TagAttributes()
  readonly #open = new OpenElements((element, flags) => this.#closed(element, flags))
  readonly #title = new CollapsedText(MAX_TITLE_CHARS)
  readonly #text = new VisibleText()
  readonly #lines = new PageLines()
  readonly #links: RawLink[] = []
  readonly #declarations: Declarations
  readonly #structured = new StructuredData()

  // How many open elements hush the text or links within them.
  #silent = 0
  #unseen = 0
  #inert = 0
  #inHead = true
  #inTitle = false
  #titleDone = false
  #inJsonLd = false

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
    const text = this.#text.toString()
    const asides = this.#lines.asides(text)
    const content = { text, ...(asides.length > 0 && { asides }), links }
    const need = scriptNeed(this.#html, content)
    const microdata = this.attributes.hasMet(ITEMSCOPE) ? readMicrodata(this.#html) : []
    const data = this.#structured.data(microdata, resolve)
    const page: ParsedPage = {
      form: 'page',
      title: this.#title.toString(),
      ...content,
      ...(need && { scriptNeed: need }),
      ...this.#declarations.declared(url, resolve),
    }
    return data ? withData(page, data) : page
  }

  open(start: number, end: number): ContentKind {
    const element = this.#names.at(this.#html, start, end)
    const { traits } = element
    const isForeign = this.isInForeignContent()
    if (isForeign && traits & BLOCK) this.#leaveForeignContent()
    if (!(traits & HEAD) && this.#unseen + this.#inert === 0) this.#inHead = false
    this.#open.closeBefore(element)
    this.#part(traits)
    if (traits & TELLING) this.#readTag(element)
    if (!(traits & VOID)) this.#enter(element)
    const mayCloseItself = isForeign || element === SVG || element === MATH
    if (mayCloseItself && this.attributes.isSelfClosing) this.#open.close(element)
    return isForeign ? MARKUP : element.content
  }

  close(start: number, end: number): void {
    const element = this.#names.at(this.#html, start, end)
    if (!this.#open.close(element)) this.#part(element.traits) // a stray </p> or </br> still parts
  }

  get innermost(): string {
    return this.#open.innermost
  }

  closeInnermost(): void {
    this.#open.closeInnermost()
  }

  text(source: string, start: number, end: number): void {
    if (this.#inTitle) this.#title.add(source, start, end)
    if (this.#silent > 0) {
      if (this.#inJsonLd) this.#structured.readScript(source.slice(start, end))
      return
    }
    if (this.#unseen === 0) {
      const before = this.#text.size
      this.#text.add(source, start, end)
      // Blanks between elements are part of no line.
      if (this.#text.size > before)
        this.#lines.add(this.#text.line, end - start, this.#link !== undefined)
    }
    if (this.#link) this.#anchor.add(source, start, end)
  }

  isInForeignContent(): boolean {
    if (!this.#open.has(SVG) && !this.#open.has(MATH)) return false
    return !this.#open.has(FOREIGN_OBJECT)
  }

  end(): void {
    this.#open.closeAll()
    this.#endLink()
  }

  #enter(element: Element): void {
    const hidden = this.attributes.get(HIDDEN)
    // Text that is hidden "until found" is there to be found.
    const isHidden = hidden !== undefined && hidden.toLowerCase() !== 'until-found'
    const place = element.traits & PLACE ? IS_PLACE : 0
    const part = place | (element.traits & PART ? partOfPage(element.traits, this.attributes) : 0)
    this.#open.open(element, (isHidden ? IS_HIDDEN : 0) | part)
    if (part !== 0) this.#lines.enter(part)
    if (element.traits & SILENT) this.#silent++
    if (element.traits & INERT) this.#inert++
    if (isHidden || element.traits & UNSEEN) this.#unseen++
  }

  /** An HTML block cannot be part of a drawing or formula: somebody forgot the end tag. */
  #leaveForeignContent(): void {
    this.#open.close(SVG)
    this.#open.close(MATH)
  }

  #part(traits: number): void {
    if (!(traits & (BLOCK | CELL))) return
    this.#text.gap(traits & BLOCK ? '\n' : ' ')
    this.#anchor.gap(' ')
  }

  #closed(element: Element, flags: number): void {
    const { traits } = element
    this.#part(traits)
    if (traits & SILENT) this.#silent--
    if (traits & INERT) this.#inert--
    if (flags & IS_HIDDEN || traits & UNSEEN) this.#unseen--
    if (flags > IS_HIDDEN) this.#lines.leave(flags & ~IS_HIDDEN)
    if (element === ANCHOR) this.#endLink()
    else if (element === SCRIPT) this.#inJsonLd = false
    else if (element === TITLE && this.#inTitle) {
      this.#inTitle = false
      this.#titleDone = !this.#title.isEmpty
    }
  }

  #readTag(element: Element): void {
    const attributes = this.attributes
    switch (element.name) {
      case 'a':
        this.#endLink() // links do not nest
        this.#startLink()
        return
      case 'area':
        this.#endLink()
        this.#startLink()
        if (this.#link) this.#anchor.add(attributes.get(ALT) ?? '')
        this.#endLink()
        return
      case 'img':
        if (this.#link && this.#imageText === '') this.#imageText = attributes.get(ALT) ?? ''
        return
      case 'title':
        this.#inTitle = !this.#titleDone && !this.isInForeignContent()
        return
      case 'base':
        this.#declarations.readBase(attributes.get(HREF))
        return
      case 'link':
        this.#readLink()
        return
      case 'meta':
        this.#readMeta()
        return
      case 'script':
        this.#inJsonLd = JSON_LD.test(attributes.written(TYPE) ?? '')
        return
      case 'html':
        this.#declarations.readLanguage(attributes.get(LANG))
    }
  }

  #readLink(): void {
    const attributes = this.attributes
    const href = attributes.get(HREF)
    if (!href || this.#inert > 0) return
    const said = {
      rel: attributes.get(REL),
      type: attributes.get(TYPE),
      hreflang: attributes.get(HREFLANG),
    }
    const inHead = this.#inHead && this.#text.isEmpty
    this.#addLink(href, this.#declarations.readLink(said, href, inHead))
  }

  #readMeta(): void {
    const content = this.attributes.get(CONTENT)
    if (content === undefined || this.#inert > 0) return
    const name = this.attributes.get(NAME)
    const header = this.attributes.get(HTTP_EQUIV)
    if (name !== undefined) this.#declarations.readRobots(name, content)
    const said = this.attributes.get(PROPERTY) ?? name
    if (said !== undefined) this.#structured.readMeta(said, content)
    // In noscript it leads those without scripts to a page that tells them so.
    if (header !== undefined && this.#unseen === 0 && /^\s*refresh\s*$/i.test(header))
      this.#addLink(this.#declarations.readRefresh(content), 0)
  }

  /** A link that shows no words. */
  #addLink(href: string | undefined, rel: number | undefined): void {
    if (href === undefined || rel === undefined || this.#links.length >= MAX_LINKS) return
    this.#links.push({ href, rel, anchor: '' })
  }

  #startLink(): void {
    const href = this.attributes.get(HREF)
    if (href === undefined || this.#inert > 0 || this.#links.length >= MAX_LINKS) return
    if (href.startsWith('#')) return // a jump within the page leads to no other
    const rel = this.attributes.get(REL)
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
