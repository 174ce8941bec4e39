import type { RecordedPlace, RecordedWeb } from './recorded-web.ts'
import { replaySitemap } from './replay-sitemap.ts'

export interface ReplayRequest {
  readonly method: string
  /** The Host header. */
  readonly host: string
  /** With its query, as in the request line. */
  readonly path: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface ReplayAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Not to be sent for HEAD. */
  readonly body: string
}

const UNKNOWN = { kind: 'unknown' } as const
/** An archive's hash may be any text; a header may not. */
const SHORT_TOKEN = /^[\w.:+/=-]{1,128}$/
const TEXT = 'text/plain; charset=utf-8'

/** How a recorded web answers an HTTP request at the moment it is set to. */
export function replayAnswer(request: ReplayRequest, web: RecordedWeb): ReplayAnswer {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return plain(405, 'A recording can only be read.', { allow: 'GET, HEAD' })
  const urls = possibleUrls(request)
  if (urls.length === 0) return plain(400, 'The Host header or the path is not valid.')
  // As in the lab, the archive's robots.txt holds, even where the file was recorded as a page too.
  const place = urls[0].pathname === '/robots.txt' ? UNKNOWN : bestPlace(urls, web)
  switch (place.kind) {
    case 'page':
      return pageAnswer(place, request.headers, web)
    case 'redirect':
      return plain(301, 'Moved.', { location: place.target })
    case 'gone':
      return plain(410, 'The page was deleted.')
    case 'unknown':
      return furniture(urls, web)
  }
}

/** The URLs a request may mean; the fetcher names the scheme, other clients may not. */
function possibleUrls({ host, path, headers }: ReplayRequest): URL[] {
  if (!path.startsWith('/') || host === '' || /[/?#@\\\s]/.test(host)) return []
  const forwarded = headers['x-forwarded-proto']
  const schemes = forwarded === 'http' || forwarded === 'https' ? [forwarded] : ['https', 'http']
  return schemes.flatMap((scheme) => URL.parse(`${scheme}://${host}${path}`) ?? [])
}

/** Something live before something gone, should both schemes be known. */
function bestPlace(urls: readonly URL[], web: RecordedWeb): RecordedPlace {
  const places = urls.map(({ href }) => web.find(href))
  return (
    places.find(({ kind }) => kind === 'page' || kind === 'redirect') ??
    places.find(({ kind }) => kind === 'gone') ??
    UNKNOWN
  )
}

function pageAnswer(
  { page, version }: Extract<RecordedPlace, { kind: 'page' }>,
  headers: ReplayRequest['headers'],
  web: RecordedWeb,
): ReplayAnswer {
  const hash = web.archive.contentHashOf(version)
  const etag = `"${SHORT_TOKEN.test(hash) ? hash : `version-${version}`}"`
  const lastModified = web.archive.liveSince(page, web.snapshot)!
  const validators = { etag, 'last-modified': httpDate(lastModified) }
  if (isUnchanged(headers, etag, lastModified))
    return { status: 304, headers: validators, body: '' }
  const type = { 'content-type': 'text/html; charset=utf-8' }
  return { status: 200, headers: { ...type, ...validators }, body: web.htmlOf(version) }
}

/** What a site has besides its pages: robots.txt and sitemaps. */
function furniture(urls: readonly URL[], web: RecordedWeb): ReplayAnswer {
  const hosts = new Set(web.hosts())
  const host = urls.map((url) => url.host).find((name) => hosts.has(name))
  // 404, not 421: a crawler shall learn that there is nothing, not that it is misconfigured.
  if (host === undefined) return plain(404, unknownHost(urls[0].host, hosts))
  const { pathname } = urls[0]
  const origin = originOf(urls, web, host)
  if (pathname === '/robots.txt') return plain(200, robotsText(web, origin, host))
  const sitemap = replaySitemap(web, origin, host, pathname)
  if (sitemap === undefined) return plain(404, 'The recording has no such page.')
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: sitemap }
}

/** RFC 9110 §13.2.2: when there is an If-None-Match, If-Modified-Since is not looked at. */
function isUnchanged(
  headers: ReplayRequest['headers'],
  etag: string,
  lastModified: number,
): boolean {
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined)
    return [noneMatch]
      .flat()
      .join(',')
      .split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''))
      .some((tag) => tag === '*' || tag === etag)
  const since = Date.parse(String(headers['if-modified-since'] ?? ''))
  return lastModified * 1000 <= since // never true for NaN
}

function robotsText(web: RecordedWeb, origin: string, host: string): string {
  const recorded = web.robotsFor(host) ?? 'User-agent: *\nDisallow:\n'
  if (/^\s*sitemap\s*:/im.test(recorded)) return recorded
  return `${recorded.trimEnd()}\n\nSitemap: ${origin}/sitemap.xml\n`
}

/** The origin to name in robots.txt and sitemaps: as asked for, else as the host's pages are written. */
function originOf(urls: readonly URL[], web: RecordedWeb, host: string): string {
  if (urls.length === 1) return urls[0].origin
  const page = web.liveUrls(host).at(0)
  return page === undefined ? urls[0].origin : new URL(page).origin
}

function unknownHost(name: string, hosts: ReadonlySet<string>): string {
  const shown = [...hosts].slice(0, 20).join('\n')
  const more = hosts.size > 20 ? `\n… and ${hosts.size - 20} more` : ''
  return `This recording has no host ${name}. It has:\n${shown}${more}`
}

function plain(status: number, text: string, headers: Record<string, string> = {}): ReplayAnswer {
  return { status, headers: { 'content-type': TEXT, ...headers }, body: `${text.trimEnd()}\n` }
}

function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString()
}
