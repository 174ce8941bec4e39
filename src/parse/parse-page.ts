import { decodeBody } from './charset.ts'
import { CollapsedText } from './collapsed-text.ts'
import { parseXmlFeed } from './feed.ts'
import { parseHtml } from './html.ts'
import { parseJsonFeed } from './json-feed.ts'
import { MAX_TEXT_CHARS, type ParsedPage } from './page.ts'
import { xmlRoot } from './scan-xml.ts'
import { type NamesSitemap, parseSitemap, parseTextSitemap } from './sitemap.ts'

const MAX_ROOT_TAG_CHARS = 2000
const RSS_NAMESPACE = /purl\.org\/(?:net\/)?rss|my\.netscape\.com\/rdf/i

/**
 * What a body says: sitemaps and feeds by what they are (servers name them all sorts of types),
 * plain text if its type says so, markup otherwise. Takes any bytes. A page may address us by
 * `agentToken` in a meta element; of another domain a sitemap tells only where it is named.
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
  if (!/^\s*text\/plain\b/i.test(type)) return parseHtml(text, url, agentToken)
  return parseTextSitemap(text, url, isNamedBy) ?? plainPage(text)
}

/** A sitemap or feed, told by its root element; XHTML and other XML are none. */
function parseXmlList(text: string, url: string, isNamedBy?: NamesSitemap): ParsedPage | undefined {
  const root = xmlRoot(text)
  if (!root) return undefined
  const xml = text.slice(root.start)
  switch (root.name) {
    case 'urlset':
    case 'sitemapindex':
      return parseSitemap(xml, url, isNamedBy)
    case 'rss':
    case 'feed':
      return parseXmlFeed(xml, url)
    case 'rdf': // which is used for much else
      return RSS_NAMESPACE.test(xml.slice(0, MAX_ROOT_TAG_CHARS))
        ? parseXmlFeed(xml, url)
        : undefined
    default:
      return undefined
  }
}

function plainPage(source: string): ParsedPage {
  const text = new CollapsedText(MAX_TEXT_CHARS)
  for (let start = 0; start < source.length; ) {
    const lineEnd = source.indexOf('\n', start)
    const end = lineEnd < 0 ? source.length : lineEnd
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
