import { parseHtml } from '../html/html.ts'
import {
  HREF,
  IS_PERMALINK,
  RDF_ABOUT,
  REL,
  type TagAttributes,
  XML_BASE,
} from '../html/tag-attributes.ts'
import {
  type Link,
  MAX_ANCHOR_CHARS,
  MAX_LINKS,
  MAX_TITLE_CHARS,
  type ParsedPage,
  type PushLinks,
  REL_FEED,
  REL_HUB,
} from '../page/page.ts'
import { PushLinkReader } from '../page/push-links.ts'
import { CollapsedText } from '../text/collapsed-text.ts'
import { detached } from '../text/detached.ts'
import { parseWebDate } from '../text/web-date.ts'
import { MAX_BASE_CHARS, urlResolver } from '../url/canonical-url.ts'
import { decodedXml, scanXml, type XmlHandler } from './scan-xml.ts'

const MAX_ADDRESS_CHARS = 4000
const MAX_DATE_CHARS = 100
/** Elements with titles and links of their own, which are not the feed's. */
const ASIDES = new Set(['image', 'textinput', 'source', 'author', 'contributor', 'items'])
/** Parts of one long feed (RFC 5005). */
const PAGING = new Set(['next', 'prev', 'previous', 'prev-archive', 'next-archive'])
/** What an item says of its page beside the title. */
const SUMMARIES = new Set(['description', 'summary'])
/** Dates of an item, the most telling first. */
const DATES = ['updated', 'atom:updated', 'dcterms:modified', 'pubdate', 'published', 'dc:date']

/** The items of an RSS (0.9x, 1.0, 2.0) or Atom feed, as links with their titles and dates. */
export function parseXmlFeed(xml: string, url: string): ParsedPage {
  const reader = new FeedReader(url)
  scanXml(xml, reader)
  reader.endItem()
  return feedPage(reader.title(), reader.links, reader.push.found())
}

/** A feed as a page: it only has links to offer. */
export function feedPage(title: string, links: readonly Link[], push?: PushLinks): ParsedPage {
  const page = { form: 'feed' as const, title, text: '', links, noindex: true, nofollow: false }
  return push ? { ...page, push } : page
}

/** True if an item's id serves as its address: many are bare numbers. */
export function isWebAddress(id: string): boolean {
  return /^https?:\/\//i.test(id)
}

/** A title's words: it may hold markup, escaped once more than XML asks for. */
export function titleWords(title: string, maxChars: number): string {
  const words = new CollapsedText(maxChars)
  const beginning = title.slice(0, 10 * maxChars)
  words.add(/[<&]/.test(beginning) ? parseHtml(beginning, '').text : beginning)
  return words.toString()
}

class FeedReader implements XmlHandler {
  readonly links: Link[] = []
  readonly push: PushLinkReader
  #resolve: (href: string) => string | undefined
  readonly #url: string
  #prefix: string | undefined // of the format's own elements
  #aside = ''
  #inItem = false
  #items = 0
  #pagingLinks = 0

  readonly #feedTitle = new CollapsedText(4 * MAX_TITLE_CHARS)
  readonly #title = new CollapsedText(4 * MAX_ANCHOR_CHARS)
  readonly #summary = new CollapsedText(4 * MAX_ANCHOR_CHARS)
  readonly #address = new CollapsedText(MAX_ADDRESS_CHARS)
  readonly #guid = new CollapsedText(MAX_ADDRESS_CHARS)
  readonly #date = new CollapsedText(MAX_DATE_CHARS)
  #reading: CollapsedText | undefined
  #readingName = ''
  #href: string | undefined // of Atom's <link>, or RSS 1.0's rdf:about
  #dates = new Map<string, string>()

  constructor(url: string) {
    this.#url = url
    this.push = new PushLinkReader(url)
    this.#resolve = urlResolver(url)
  }

  get isDone(): boolean {
    return this.#items + this.#pagingLinks >= MAX_LINKS
  }

  title(): string {
    return titleWords(this.#feedTitle.toString(), MAX_TITLE_CHARS)
  }

  open(prefix: string, name: string, attributes: TagAttributes): void {
    if (this.#prefix === undefined) this.#begin(prefix, name, attributes)
    // A title or summary in XHTML has elements of its own, which are words of it.
    if (this.#isReadingWords() && this.#inMarkup(prefix, name)) return
    this.#endReading()
    const full = this.#fullName(prefix, name)
    if (this.#aside !== '') return
    if (full === 'item' || full === 'entry') {
      this.endItem()
      this.#inItem = true
      this.#href = decodedXml(attributes.written(RDF_ABOUT))
    } else if (ASIDES.has(full)) this.#aside = full
    else if (full === 'link' || full === 'atom:link') this.#openLink(full, attributes)
    else if (full === 'title') this.#read(full, this.#inItem ? this.#title : this.#feedTitle)
    else if (!this.#inItem) return
    else if (full === 'guid') {
      if (attributes.written(IS_PERMALINK)?.toLowerCase() !== 'false') this.#read(full, this.#guid)
    } else if (SUMMARIES.has(full)) this.#read(full, this.#summary)
    else if (DATES.includes(full)) this.#read(full, this.#date)
  }

  close(prefix: string, name: string): void {
    const full = this.#fullName(prefix, name)
    if (full === this.#readingName || full === 'item' || full === 'entry') this.#endReading()
    if (full === this.#aside) this.#aside = ''
    if (full === 'item' || full === 'entry') this.endItem()
  }

  get wantsText(): boolean {
    return this.#reading !== undefined && !this.#reading.isFull
  }

  text(source: string, start: number, end: number): void {
    this.#reading?.add(source, start, end)
  }

  #isReadingWords(): boolean {
    if (this.#reading === undefined) return false
    return this.#readingName === 'title' || SUMMARIES.has(this.#readingName)
  }

  /** The item being read is complete, or as complete as it will get. */
  endItem(): void {
    this.#endReading()
    if (this.#inItem && !this.isDone) this.#addItem()
    this.#inItem = false
    this.#aside = ''
    this.#href = undefined
    this.#dates.clear()
    for (const text of [this.#title, this.#summary, this.#address, this.#guid]) text.clear()
  }

  #begin(prefix: string, name: string, attributes: TagAttributes): void {
    this.#prefix = name === 'rdf' ? '' : prefix // RSS 1.0 is in the default namespace within RDF
    const base = decodedXml(attributes.written(XML_BASE))
    if (base === undefined) return
    if (base.length > MAX_BASE_CHARS) {
      this.#resolve = urlResolver(base) // counts as none
      return
    }
    const absolute = URL.parse(base, this.#url)?.href
    if (absolute !== undefined && /^https?:/.test(absolute)) this.#resolve = urlResolver(absolute)
  }

  #openLink(full: string, attributes: TagAttributes): void {
    const href = decodedXml(attributes.written(HREF))
    if (href === undefined) {
      if (this.#inItem && full === 'link') this.#read(full, this.#address)
      return
    }
    const rel = attributes.written(REL)?.trim().toLowerCase() ?? 'alternate'
    if (this.#inItem) {
      if (rel === 'alternate') this.#href ??= href
    } else this.push.take(rel, href)
    if (!this.#inItem && PAGING.has(rel)) {
      this.#pagingLinks++
      this.#addLink(href, '', REL_HUB)
    }
  }

  #addItem(): void {
    this.#items++
    const guid = this.#guid.toString()
    const address = this.#address.toString() || this.#href || (isWebAddress(guid) ? guid : '')
    if (address === '') return
    const dated = DATES.map((name) => this.#dates.get(name)).find((date) => date !== undefined)
    const lastModified = dated === undefined ? undefined : parseWebDate(dated)
    const words = (text: CollapsedText) => titleWords(text.toString(), MAX_ANCHOR_CHARS)
    this.#addLink(address, words(this.#title), REL_FEED, lastModified)
    // Apart from the title, which may be all that a query asks for.
    const summary = words(this.#summary)
    if (summary !== '') this.#addLink(address, summary, REL_FEED)
  }

  #addLink(href: string, anchor: string, rel: number, lastModified?: number): void {
    const url = this.#resolve(href)
    if (url === undefined) return
    const link = { url: detached(url), anchor, rel }
    this.links.push(lastModified === undefined ? link : { ...link, lastModified })
  }

  #read(name: string, into: CollapsedText): void {
    if (!into.isEmpty) return // the first one counts
    this.#reading = into
    this.#readingName = name
  }

  #endReading(): void {
    if (this.#reading === this.#date && !this.#date.isEmpty) {
      this.#dates.set(this.#readingName, this.#date.toString())
      this.#date.clear()
    }
    this.#reading = undefined
    this.#readingName = ''
  }

  #inMarkup(prefix: string, name: string): boolean {
    const full = this.#fullName(prefix, name)
    return full !== 'item' && full !== 'entry' && full !== 'link' && !DATES.includes(full)
  }

  /** `title` for the format's own elements, `media:title` for others. */
  #fullName(prefix: string, name: string): string {
    return prefix === this.#prefix ? name : `${prefix}:${name}`
  }
}
