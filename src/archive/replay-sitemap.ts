import { escapeHtml } from '#parse/text/escape-markup.ts'
import type { RecordedWeb } from './recorded-web.ts'

/** The protocol's own limit for one file. */
const SITEMAP_URLS = 50_000

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
/**
 * The sitemap file a path names, if it names one: `/sitemap.xml` is the map itself, or on a large
 * host the list of its parts, `/sitemap-1.xml` and on.
 */
export function replaySitemap(
  web: RecordedWeb,
  origin: string,
  host: string,
  path: string,
  maxUrls = SITEMAP_URLS,
): string | undefined {
  const part = /^\/sitemap(?:-([1-9]\d{0,5}))?\.xml$/.exec(path)
  if (!part) return undefined
  const urls = web.liveUrls(host)
  const parts = Math.ceil(urls.length / maxUrls)
  if (part[1] === undefined)
    return parts > 1 ? sitemapIndex(origin, parts) : urlSet(web, host, urls)
  const number = Number(part[1])
  if (parts < 2 || number > parts) return undefined
  return urlSet(web, host, urls.slice((number - 1) * maxUrls, number * maxUrls))
}

function sitemapIndex(origin: string, parts: number): string {
  const lines = Array.from(
    { length: parts },
    (_, i) => `<sitemap><loc>${escapeHtml(`${origin}/sitemap-${i + 1}.xml`)}</loc></sitemap>`,
  )
  return document('sitemapindex', lines)
}

function urlSet(web: RecordedWeb, host: string, urls: readonly string[]): string {
  const lines = urls.map((url) => {
    const since = web.sitemapDate(host, url)
    const lastmod = since === undefined ? '' : `<lastmod>${isoDate(since)}</lastmod>`
    return `<url><loc>${escapeHtml(url)}</loc>${lastmod}</url>`
  })
  return document('urlset', lines)
}

function document(root: string, lines: readonly string[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<${root} xmlns="${NAMESPACE}">`,
    ...lines,
    `</${root}>\n`,
  ].join('\n')
}

function isoDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
