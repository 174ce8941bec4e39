import { parseXmlFeed } from './feeds/feed.ts'
import { parseJsonFeed } from './feeds/json-feed.ts'
import { type XmlRoot, xmlRoot } from './feeds/scan-xml.ts'
import { type NamesSitemap, parseSitemap, parseTextSitemap } from './feeds/sitemap.ts'
import { parseHtml } from './html/html.ts'
import { withLanguage } from './language/page-language.ts'
import { MAX_TEXT_CHARS, type ParsedPage } from './page/page.ts'
import { decodeBody } from './text/charset.ts'
import { CollapsedText } from './text/collapsed-text.ts'

const MAX_ROOT_TAG_CHARS = 2000
/** Of a plain text so much is read; nearly all of it may be white space. */
const MAX_PLAIN_CHARS = 20 * MAX_TEXT_CHARS
const SITEMAP_ROOT = /^(?:urlset|sitemapindex)$/
const FEED_ROOT = /^(?:rss|feed)$/
const RSS_NAMESPACE = /purl\.org\/(?:net\/)?rss|my\.netscape\.com\/rdf/i

/**
 * Parses a body: sitemaps and feeds by their content (servers declare all sorts of types for
 * them), plain text if its type says so, markup otherwise. Takes any bytes. A page may address
 * us by `agentToken` in a meta element. A sitemap of another domain counts only where it is
 * named.
 */
export function parsePage(
  body: Uint8Array,
  contentType: string | undefined,
  url: string,
  agentToken?: string,
  isNamedBy?: NamesSitemap,
): ParsedPage {
  const text = decodeBody(body, contentType)
  const list = parseXmlList(text, url, isNamedBy)
  if (list) return list
  const type = contentType ?? ''
  if (/^\s*application\/(?:feed\+)?json\b/i.test(type))
    return parseJsonFeed(text, url) ?? plainPage(text)
  if (!/^\s*text\/plain\b/i.test(type)) return withLanguage(parseHtml(text, url, agentToken))
  return parseTextSitemap(text, url, isNamedBy) ?? withLanguage(plainPage(text))
}

/** Whether a text that begins so is a sitemap or feed in XML. */
export function beginsXmlList(beginning: string): boolean {
  return xmlListRoot(beginning) !== undefined
}

/** A sitemap or feed, recognised by its root element; XHTML and other XML are none. */
function parseXmlList(text: string, url: string, isNamedBy?: NamesSitemap): ParsedPage | undefined {
  const root = xmlListRoot(text)
  if (!root) return undefined
  const xml = text.slice(root.start)
  return SITEMAP_ROOT.test(root.name) ? parseSitemap(xml, url, isNamedBy) : parseXmlFeed(xml, url)
}

function xmlListRoot(text: string): XmlRoot | undefined {
  const root = xmlRoot(text)
  if (!root) return undefined
  if (SITEMAP_ROOT.test(root.name) || FEED_ROOT.test(root.name)) return root
  if (root.name !== 'rdf') return undefined // which is used for much else
  return RSS_NAMESPACE.test(text.slice(root.start, root.start + MAX_ROOT_TAG_CHARS))
    ? root
    : undefined
}

function plainPage(source: string): ParsedPage {
  const text = new CollapsedText(MAX_TEXT_CHARS)
  const readChars = Math.min(source.length, MAX_PLAIN_CHARS)
  for (let start = 0; start < readChars && !text.isFull; ) {
    const lineEnd = source.indexOf('\n', start)
    const end = lineEnd < 0 ? readChars : Math.min(lineEnd, readChars)
    text.add(source, start, end)
    text.gap('\n')
    start = end + 1
  }
  return {
    form: 'page',
    title: '',
    text: text.toString(),
    links: [],
    noindex: false,
    nofollow: false,
  }
}
