import type { ParsedPage } from '#parse/page/page.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { ArchiveAddresses } from './archive-addresses.ts'
import type { Archive } from './format/archive.ts'
import { boilerplateLines, recordedPage } from './recorded-page.ts'
import { renderHtml } from './render-html.ts'
import { type Sitemaps, sitemapDate } from './sitemap-dates.ts'

/** What is at an address: a page or a redirect, a page that is gone now, or nothing ever known. */
export type RecordedPlace =
  | { readonly kind: 'page'; readonly page: number; readonly version: number }
  | { readonly kind: 'redirect'; readonly target: string; readonly version: number }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown' }

type RecordedAnswer =
  | {
      readonly kind: 'page'
      readonly page: ParsedPage
      readonly version: number
      readonly contentHash: string
      /** Seconds since 1970. */
      readonly lastModified: number
    }
  | Exclude<RecordedPlace, { kind: 'page' }>

export interface RecordedWebOptions {
  /** Whether robots.txt names a sitemap of what is live, and how far its dates are true; an archive has recorded none. */
  readonly sitemaps?: Sitemaps
}

/** An archive as a crawler meets it at one snapshot: URLs in, answers out. */
export class RecordedWeb {
  readonly archive: Archive
  readonly snapshot: number
  readonly sitemaps: Sitemaps
  readonly #addresses: ArchiveAddresses

  constructor(
    archive: Archive,
    snapshot: number,
    { sitemaps = 'honest' }: RecordedWebOptions = {},
    addresses = new ArchiveAddresses(archive),
  ) {
    this.archive = archive
    this.snapshot = snapshot
    this.sitemaps = sitemaps
    this.#addresses = addresses
  }

  /** The same archive at another snapshot, without working its addresses out again. */
  at(snapshot: number): RecordedWeb {
    return new RecordedWeb(this.archive, snapshot, this, this.#addresses)
  }

  /** What is at a URL, in any spelling, without its content: needs no text in the archive. */
  find(url: string): RecordedPlace {
    const canonical = canonicalUrl(url)
    const pages = canonical === undefined ? [] : this.#addresses.pagesOf(canonical)
    if (pages.length === 0) return { kind: 'unknown' }
    for (const page of pages) {
      const version = this.archive.versionAt(page, this.snapshot)
      if (version === undefined) continue
      const redirect = this.archive.redirectOf(version)
      if (redirect === undefined) return { kind: 'page', page, version }
      const target = canonicalUrl(redirect, canonical)
      // A redirect to nowhere answers nothing.
      if (target !== undefined) return { kind: 'redirect', target, version }
    }
    return { kind: 'gone' }
  }

  /** A canonical URL as the archive itself spells it, if it is one of its pages. */
  recordedUrl(url: string): string | undefined {
    const [page] = this.#addresses.pagesOf(url)
    return page === undefined ? undefined : this.archive.urlOf(page)
  }

  /** What a fetch of the URL gives at this snapshot. */
  answer(url: string): RecordedAnswer {
    const place = this.find(url)
    if (place.kind !== 'page') return place
    const { page, version } = place
    return {
      kind: 'page',
      page: recordedPage(this.archive, this.#addresses, version),
      version,
      contentHash: this.archive.contentHashOf(version),
      lastModified: this.archive.liveSince(page, this.snapshot)!,
    }
  }

  /** When the sitemap of a host says that the page at a URL changed last, in seconds since 1970, if it says so. */
  sitemapDate(host: string, url: string): number | undefined {
    const place = this.find(url)
    if (place.kind !== 'page') return undefined
    return sitemapDate(this.archive, this.sitemaps, host, place.page, this.snapshot)
  }

  /** A version as an HTML document, for fetching over HTTP. */
  htmlOf(version: number): string {
    const page = recordedPage(this.archive, this.#addresses, version)
    return renderHtml(page, boilerplateLines(this.archive, version))
  }

  /** Where a link of the archive leads, in canonical form; undefined if that is no web address. */
  linkUrl(link: number): string | undefined {
    return this.#addresses.linkUrl(link)
  }

  /** Calls `visit` with the canonical URL of each link of a version, in order. */
  forEachLinkUrl(version: number, visit: (url: string) => void): void {
    this.archive.forEachLink(version, (link) => {
      const url = this.#addresses.linkUrl(link)
      if (url !== undefined) visit(url)
    })
  }

  /** Every host the archive has ever had a page on, in the order of its pages. */
  hosts(): string[] {
    return [...this.#addresses.pagesByHost().keys()]
  }

  /** Whether the archive has ever had a page or a robots.txt on a host. */
  hasHost(host: string): boolean {
    return this.#addresses.pagesByHost().has(host) || this.robotsFor(host) !== undefined
  }

  /** The pages of a host that are live now and no redirects, each URL once: its sitemap. */
  liveUrls(host: string): string[] {
    const urls = new Set<string>()
    for (const page of this.#addresses.pagesByHost().get(host) ?? []) {
      const version = this.archive.versionAt(page, this.snapshot)
      if (version === undefined || this.archive.redirectOf(version) !== undefined) continue
      urls.add(this.#addresses.urlOf(page)!)
    }
    return [...urls]
  }

  /** The host's robots.txt, if the archive has one. */
  robotsFor(host: string): string | undefined {
    const { robots } = this.archive.site
    return robots && Object.hasOwn(robots, host) ? robots[host] : undefined
  }

  /** The seeds the archive names, in canonical form. */
  seeds(): string[] {
    return this.archive.site.start
      .map((url) => canonicalUrl(url))
      .filter((url) => url !== undefined)
  }
}
