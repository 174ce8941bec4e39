import type { Archive } from '#archive/format/archive.ts'
import { type Csr, distinctRows } from '#numeric/csr.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { type CoverGraph, coverGraph, NEW, OLD } from '../covers/cover-graph.ts'
import { isListingUrl } from '../covers/listing-url.ts'

/** An archive as far as discovery cares: which page links to which, and when each was there. */
export interface DiscoverySite {
  readonly snapshots: number
  readonly pages: number
  /** Row v holds the pages that version v links to, each once. */
  readonly links: Csr
  /** By snapshot, then by page: the version live then, or -1. */
  readonly versionsAt: readonly Int32Array[]
  /** By page: the first snapshot it was seen at. */
  readonly bornAt: Int32Array
  readonly isListing: Uint8Array
  /** By page: its registrable domain, as a number. */
  readonly siteOf: Uint32Array
  readonly siteCount: number
  urlOf(page: number): string
  /** Numbers of the pages where a crawl begins. */
  readonly seeds: readonly number[]
}

/** What discovery needs of an archive. */
export function discoverySite(archive: Archive): DiscoverySite {
  const pages = archive.pageCount
  const versionsAt = Array.from({ length: archive.snapshotCount }, () =>
    new Int32Array(pages).fill(-1),
  )
  const bornAt = new Int32Array(pages)
  const sites = new Map<string, number>()
  const siteOf = new Uint32Array(pages)
  const isListing = new Uint8Array(pages)
  for (let page = 0; page < pages; page++) {
    const spans = archive.spansOf(page)
    bornAt[page] = spans.length === 0 ? archive.snapshotCount : spans[0].from
    for (const { from, to, version } of spans)
      for (let snapshot = from; snapshot <= to; snapshot++) versionsAt[snapshot][page] = version
    const url = archive.urlOf(page)
    const domain = registrableDomain(hostOf(url))
    if (!sites.has(domain)) sites.set(domain, sites.size)
    siteOf[page] = sites.get(domain)!
    isListing[page] = isListingUrl(url) ? 1 : 0
  }
  return {
    snapshots: archive.snapshotCount,
    pages,
    links: versionLinks(archive),
    versionsAt,
    bornAt,
    isListing,
    siteOf,
    siteCount: sites.size,
    urlOf: (page) => archive.urlOf(page),
    seeds: archive.site.start
      .map((url) => archive.pageOfUrl(url))
      .filter((page) => page !== undefined),
  }
}

/** The same site for one who comes to it at a later snapshot; what was there by then is not new. */
export function sinceSnapshot(site: DiscoverySite, start: number): DiscoverySite {
  return {
    ...site,
    snapshots: site.snapshots - start,
    versionsAt: site.versionsAt.slice(start),
    bornAt: site.bornAt.map((born) => Math.max(0, born - start)),
  }
}

function versionLinks(archive: Archive): Csr {
  const offsets = new Uint32Array(archive.versionCount + 1)
  const targets = new GrowingColumn(Uint32Array)
  for (let version = 0; version < archive.versionCount; version++) {
    archive.forEachLink(version, (link) => {
      const target = archive.linkPage(link)
      if (target !== undefined) targets.push(target)
    })
    offsets[version + 1] = targets.length
  }
  // A row is a version and not a page, so the one target that `distinctRows` drops must be none.
  const shifted = { offsets, targets: targets.view().map((page) => page + archive.versionCount) }
  const { offsets: ends, targets: kept } = distinctRows(shifted)
  return { offsets: ends, targets: kept.map((page) => page - archive.versionCount) }
}

/**
 * What was new at snapshot `to` against all up to `from`, and which pages live at both lead there;
 * `acrossSites` follows links between sites too.
 */
export function graphBetween(
  site: DiscoverySite,
  from: number,
  to: number,
  { acrossSites = false } = {},
): CoverGraph {
  const now = site.versionsAt[to]
  const before = site.versionsAt[from]
  const roles = new Uint8Array(site.pages)
  for (let page = 0; page < site.pages; page++) {
    if (now[page] < 0) continue
    if (before[page] >= 0) roles[page] = OLD
    else if (site.bornAt[page] > from) roles[page] = NEW
  }
  const links = acrossSites || site.siteCount === 1 ? site.links : onSiteLinks(site, now)
  return coverGraph({ links, rowOf: now, roles })
}

/** The links of live versions that stay on their site. */
function onSiteLinks({ links, siteOf }: DiscoverySite, now: Int32Array): Csr {
  const offsets = new Uint32Array(links.offsets.length)
  const siteOfVersion = new Int32Array(offsets.length).fill(-1)
  for (const [page, version] of now.entries())
    if (version >= 0) siteOfVersion[version] = siteOf[page]
  const targets = new GrowingColumn(Uint32Array)
  for (let version = 0; version < offsets.length - 1; version++) {
    if (siteOfVersion[version] >= 0)
      for (let edge = links.offsets[version]; edge < links.offsets[version + 1]; edge++)
        if (siteOf[links.targets[edge]] === siteOfVersion[version])
          targets.push(links.targets[edge])
    offsets[version + 1] = targets.length
  }
  return { offsets, targets: targets.view() }
}
