import type { RecordedPlace, RecordedWeb } from '#archive/recorded-web.ts'
import { siteFurniture } from '#archive/site-furniture.ts'

export interface ReplayRequest {
  readonly method: string
  /** The Host header. */
  readonly host: string
  /** With its query, as in the request line. */
  readonly path: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

interface ReplayAnswer {
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
  const url = urls.find(({ host }) => web.hasHost(host))
  // 404, not 421: a crawler shall learn that there is nothing, not that it is misconfigured.
  if (url === undefined) return plain(404, unknownHost(urls[0].host, web.hosts()))
  const found = siteFurniture(web, urls.length === 1 ? url : inSchemeOfPages(url, web))
  if (found === undefined) return plain(404, 'The recording has no such page.')
  return { status: 200, headers: { 'content-type': found.contentType }, body: found.body }
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

/** A client that named no scheme means the one in which the host's pages are written. */
function inSchemeOfPages(url: URL, web: RecordedWeb): URL {
  const page = web.liveUrls(url.host).at(0)
  return page === undefined ? url : new URL(url.pathname, page)
}

function unknownHost(name: string, hosts: readonly string[]): string {
  const shown = hosts.slice(0, 20).join('\n')
  const more = hosts.length > 20 ? `\n… and ${hosts.length - 20} more` : ''
  return `This recording has no host ${name}. It has:\n${shown}${more}`
}

function plain(status: number, text: string, headers: Record<string, string> = {}): ReplayAnswer {
  return { status, headers: { 'content-type': TEXT, ...headers }, body: `${text.trimEnd()}\n` }
}

function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString()
}

interface ReplayPace {
  /** The snapshot to begin with. */
  readonly from: number
  /** Snapshots a minute; 0 stands still. */
  readonly speed: number
  readonly snapshotCount: number
}

/** The snapshot that is shown after so long; the last one stays. */
export function replaySnapshot(
  { from, speed, snapshotCount }: ReplayPace,
  elapsedMs: number,
): number {
  return Math.min(from + Math.floor((speed * elapsedMs) / 60_000), snapshotCount - 1)
}
