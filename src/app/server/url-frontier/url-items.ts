import type { GivenUrl, PlannedCrawl } from '#library/url-frontier/planned-crawl.ts'
import { withoutContent } from '#library/url-frontier/reported-item.ts'
import type { Metadata } from '#library/url-frontier/url-ledger.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'

/** A URL as the protocol has it. */
export interface UrlInfo {
  readonly url: string
  readonly key: string
  readonly metadata: Readonly<Record<string, { readonly values?: readonly string[] }>>
  readonly crawlID: string
}

export interface UrlItem {
  readonly item?: 'discovered' | 'known'
  readonly discovered?: { readonly info?: UrlInfo }
  readonly known?: { readonly info?: UrlInfo; readonly refetchable_from_date: number }
  readonly ID: string
}

/** Longer keys are nobody's hosts. */
export const MAX_KEY_CHARS = 512

/** What is kept with a URL, but for the page itself. */
const MAX_METADATA_CHARS = 65_536

/** What a client sent, if it is a web address that we can keep. */
export function givenUrl({ url: sent, key, metadata }: UrlInfo): GivenUrl | undefined {
  const url = canonicalUrl(sent)
  const plain = plainMetadata(metadata)
  const isFine = key.length <= MAX_KEY_CHARS && charsOf(withoutContent(plain)) <= MAX_METADATA_CHARS
  if (url === undefined || !isFine) return undefined
  return { url, key: key.trim() || new URL(url).host, metadata: plain }
}

function plainMetadata(metadata: UrlInfo['metadata']): Metadata {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, { values = [] }]) => [name, values]),
  )
}

function charsOf(metadata: Metadata): number {
  return Object.entries(metadata).reduce(
    (sum, [name, values]) => sum + name.length + values.join(' ').length,
    0,
  )
}

/** A URL as a client gets it. */
export function urlInfo({ url, key, metadata }: GivenUrl, crawlID: string): UrlInfo {
  const lists = Object.entries(metadata).map(([name, values]) => [name, { values }] as const)
  return { url, key, metadata: Object.fromEntries(lists), crawlID }
}

/** What is known of a URL, for whoever asks. */
export function knownItem({ ledger }: PlannedCrawl, crawlID: string, url: string) {
  const { key, due, created } = ledger.of(url)!
  const info = urlInfo({ url, key, metadata: ledger.metadataOf(url) }, crawlID)
  return { known: { info, refetchable_from_date: due }, creation_date: created }
}
