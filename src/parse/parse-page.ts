import { plainPage } from './documents/plain-page.ts'
import { parseXmlFeed } from './feeds/feed.ts'
import { parseJsonFeed } from './feeds/json-feed.ts'
import { type XmlRoot, xmlRoot } from './feeds/scan-xml.ts'
import { type NamesSitemap, parseSitemap, parseTextSitemap } from './feeds/sitemap.ts'
import type { FieldRule } from './fields/field-rules.ts'
import { readFields } from './fields/read-fields.ts'
import { parseHtml } from './html/html.ts'
import { withLanguage } from './language/page-language.ts'
import type { ParsedPage } from './page/page.ts'
import { decodeBody } from './text/charset.ts'

const MAX_ROOT_TAG_CHARS = 2000
const PLAIN_TYPE = /^\s*text\/(?:plain|markdown|csv)\b/i
const SITEMAP_ROOT = /^(?:urlset|sitemapindex)$/
const FEED_ROOT = /^(?:rss|feed)$/
const RSS_NAMESPACE = /purl\.org\/(?:net\/)?rss|my\.netscape\.com\/rdf/i

/**
 * Parses a body: sitemaps and feeds by their content (servers declare all sorts of types for
 * them), plain text if its type says so, markup otherwise. Takes any bytes. A page may address
 * us by `agentToken` in a meta element. A sitemap of another domain counts only where it is
 * named. Own fields are looked for in markup.
 */
export function parsePage(
  body: Uint8Array,
  contentType: string | undefined,
  url: string,
  agentToken?: string,
  isNamedBy?: NamesSitemap,
  fields?: readonly FieldRule[],
): ParsedPage {
  const text = decodeBody(body, contentType)
  const list = parseXmlList(text, url, isNamedBy)
  if (list) return list
  const type = contentType ?? ''
  if (/^\s*application\/(?:feed\+)?json\b/i.test(type))
    return parseJsonFeed(text, url) ?? plainPage(text, url)
  if (!PLAIN_TYPE.test(type)) {
    const page = withLanguage(parseHtml(text, url, agentToken))
    const found = fields && readFields(text, fields)
    return found ? { ...page, fields: found } : page
  }
  return parseTextSitemap(text, url, isNamedBy) ?? withLanguage(plainPage(text, url))
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
