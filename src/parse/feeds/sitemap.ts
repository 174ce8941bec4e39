import { type Link, MAX_ANCHOR_CHARS, type ParsedPage, REL_HUB, REL_SITEMAP } from '../page/page.ts'
import { CollapsedText } from '../text/collapsed-text.ts'
import { detached } from '../text/detached.ts'
import { parseWebDate } from '../text/web-date.ts'
import { hostOf, urlResolver } from '../url/canonical-url.ts'
import { registrableDomain } from '../url/registrable-domain.ts'
import { scanXml, type XmlHandler } from './scan-xml.ts'

/** The protocol's own limit; what comes after it is not read. */
const MAX_SITEMAP_URLS = 50_000

const MAX_LOC_CHARS = 4000
/** Of a text sitemap: after so many there is nothing to be expected. */
const MAX_BLANK_LINES = 500_000
const MAX_DATE_CHARS = 100
/** What extensions (news, images, videos) say of a page in words. */
const WORDS = new Set(['title', 'caption', 'description', 'keywords'])

/** Whether an origin's robots.txt names the sitemap, and so lets it speak for the origin. */
export type NamesSitemap = (origin: string) => boolean

/**
 * The URLs of an XML sitemap, or the sitemaps of an index. Only those of the sitemap's own
 * registrable domain count, and of origins that name it: nobody may announce pages in another's name.
 */
export function parseSitemap(xml: string, url: string, isNamedBy?: NamesSitemap): ParsedPage {
  const reader = new SitemapReader(entryFilter(url, isNamedBy))
  scanXml(xml, reader)
  reader.end()
  return sitemapPage(reader.links)
}

/**
 * The URLs of a text sitemap, one a line. Undefined if the text is none: its address is not
 * named like one, and it is not a list of URLs alone.
 */
export function parseTextSitemap(
  text: string,
  url: string,
  isNamedBy?: NamesSitemap,
): ParsedPage | undefined {
  const isNamed = /\/[^/?]*sitemap[^/?]*\.txt(?:\?|$)/i.test(url)
  const accept = entryFilter(url, isNamedBy)
  const links: Link[] = []
  let entries = 0
  for (const line of linesOf(text)) {
    if (entries++ >= MAX_SITEMAP_URLS) break
    const isUrl = isAddressLine(line)
    if (!isUrl && !isNamed) return undefined
    const target = isUrl ? accept(line) : undefined
    if (target !== undefined) links.push({ url: target, anchor: '', rel: REL_SITEMAP })
  }
  return isNamed || links.length > 0 ? sitemapPage(links) : undefined
}

function sitemapPage(links: readonly Link[]): ParsedPage {
  return { form: 'sitemap', title: '', text: '', links, noindex: true, nofollow: false }
}

class SitemapReader implements XmlHandler {
  readonly links: Link[] = []
  readonly #accept: (loc: string) => string | undefined
  readonly #loc = new CollapsedText(MAX_LOC_CHARS)
  readonly #bare = new CollapsedText(MAX_LOC_CHARS) // text of an entry that forgot its <loc>
  readonly #lastmod = new CollapsedText(MAX_DATE_CHARS)
  readonly #published = new CollapsedText(MAX_DATE_CHARS)
  readonly #words = new CollapsedText(MAX_ANCHOR_CHARS)
  #entries = 0
  #prefix: string | undefined // the root's, and so the protocol's: `image:loc` is none of ours
  #rel = REL_SITEMAP
  #reading: CollapsedText | undefined

  constructor(accept: (loc: string) => string | undefined) {
    this.#accept = accept
  }

  get isDone(): boolean {
    return this.#entries >= MAX_SITEMAP_URLS
  }

  open(prefix: string, name: string): void {
    this.#prefix ??= prefix
    this.#reading = undefined
    if (prefix !== this.#prefix) {
      if (name === 'publication_date' && this.#published.isEmpty) this.#reading = this.#published
      if (WORDS.has(name)) {
        this.#words.gap(' ')
        this.#reading = this.#words
      }
    } else if (name === 'url' || name === 'sitemap') {
      this.end()
      this.#rel = name === 'url' ? REL_SITEMAP : REL_HUB
      this.#reading = this.#bare
    } else if (name === 'loc') {
      if (this.#loc.isEmpty) this.#reading = this.#loc
    } else if (name === 'lastmod' && this.#lastmod.isEmpty) this.#reading = this.#lastmod
  }

  close(prefix: string, name: string): void {
    this.#reading = undefined
    if (prefix === this.#prefix && (name === 'url' || name === 'sitemap')) this.end()
  }

  get wantsText(): boolean {
    return this.#reading !== undefined && !this.#reading.isFull
  }

  text(source: string, start: number, end: number): void {
    this.#reading?.add(source, start, end)
  }

  /** The entry being read is complete, or as complete as it will get. */
  end(): void {
    const address = this.#loc.isEmpty ? this.#bare : this.#loc
    const mayCount = !address.isEmpty && !this.isDone
    if (mayCount) this.#entries++
    const target = mayCount ? this.#accept(address.toString()) : undefined
    if (target !== undefined) {
      const date = this.#lastmod.isEmpty ? this.#published : this.#lastmod
      const lastModified = parseWebDate(date.toString())
      const link = { url: target, anchor: this.#words.toString(), rel: this.#rel }
      this.links.push(lastModified === undefined ? link : { ...link, lastModified })
    }
    const texts = [this.#loc, this.#bare, this.#lastmod, this.#published, this.#words]
    for (const text of texts) text.clear()
  }
}

/** Gives an entry's canonical URL, if the sitemap may speak for its origin. */
function entryFilter(
  sitemapUrl: string,
  isNamedBy: NamesSitemap = () => false,
): (loc: string) => string | undefined {
  const resolve = urlResolver(sitemapUrl)
  const domain = registrableDomain(hostOf(sitemapUrl))
  const isOurs = new Map<string, boolean>()
  return (loc) => {
    const target = resolve(loc)
    if (target === undefined) return undefined
    const host = hostOf(target)
    const origin = target.slice(0, target.indexOf('//') + 2 + host.length)
    let ours = isOurs.get(origin)
    if (ours === undefined) {
      ours = registrableDomain(host) === domain || isNamedBy(origin)
      isOurs.set(origin, ours)
    }
    return ours ? detached(target) : undefined
  }
}

function isAddressLine(line: string): boolean {
  return line.length <= MAX_LOC_CHARS && /^https?:\/\/\S+$/i.test(line)
}

/** Lines that are not blank, without surrounding white space. */
function* linesOf(text: string): Generator<string> {
  let blank = 0
  for (let start = 0; start < text.length && blank < MAX_BLANK_LINES; ) {
    const lineEnd = text.indexOf('\n', start)
    const end = lineEnd < 0 ? text.length : lineEnd
    const line = text.slice(start, end).trim()
    if (line !== '') yield line
    else blank++
    start = end + 1
  }
}
