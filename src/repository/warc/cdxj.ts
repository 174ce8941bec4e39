import type { KeptRecord } from '#learn/entries/outcome.ts'
import { secondsOf, timestamp14 } from './warc-files.ts'

/** One line of the index: a response or revisit, and where its record lies. */
export type CdxjEntry = KeptRecord

export const REVISIT_MIME = 'warc/revisit'

/** The line of an entry, line feed included. */
export function cdxjLine(entry: CdxjEntry): string {
  const { url, at, mime, status, digest, length, offset, filename, record, truncated } = entry
  const fields = {
    url,
    mime,
    status: String(status),
    digest: digest.replace(/^sha1:/, ''), // as everybody writes it
    length: String(length),
    offset: String(offset),
    filename,
    record,
    truncated,
  }
  return `${surtKey(url)} ${timestamp14(at)} ${JSON.stringify(fields)}\n`
}

/**
 * A URL in the order archives sort by: `org,example)/path?a&b`. Case, `www.` and the order of
 * parameters say nothing there.
 */
export function surtKey(url: string): string {
  const parsed = URL.parse(url.replace(/^(https?:\/\/)www\d*\./i, '$1').toLowerCase())
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return url.replaceAll(' ', '%20')
  const host = parsed.hostname.split('.').reverse().join(',')
  const port = parsed.port && `:${parsed.port}`
  const query = parsed.search && `?${parsed.search.slice(1).split('&').sort().join('&')}`
  return `${host}${port})${parsed.pathname}${query}`
}

/** The entry of a line; undefined if it is no line of an index. */
export function readCdxjLine(line: string): CdxjEntry | undefined {
  const brace = line.indexOf('{')
  const space = line.indexOf(' ')
  if (space < 0 || brace < space) return undefined
  try {
    const fields = JSON.parse(line.slice(brace))
    const at = secondsOf(line.slice(space + 1, brace).trim())
    const { url, mime, digest, filename, record, truncated } = fields
    const offset = Number(fields.offset)
    const length = Number(fields.length)
    const status = Number(fields.status) || 0
    if (typeof url !== 'string' || typeof filename !== 'string') return undefined
    if (typeof digest !== 'string' || at === undefined) return undefined
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length)) return undefined
    return {
      url,
      at,
      mime,
      status,
      digest: /^[A-Z2-7]{32}$/.test(digest) ? `sha1:${digest}` : digest,
      offset,
      length,
      filename,
      record: record ?? '',
      truncated,
    }
  } catch {
    return undefined
  }
}
