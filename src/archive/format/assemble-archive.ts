import { SettingError } from '#errors/setting-error.ts'
import { Archive } from './archive.ts'
import type { ArchiveRecords, SiteRecord } from './format.ts'
import { BlockColumns, LinkColumns, PageColumns, VersionColumns } from './line-columns.ts'
import { lineError } from './line-error.ts'

/** The four files of lines, each as columns; blocks only if the text is wanted. */
export interface ColumnsOfFiles {
  readonly pages: PageColumns
  readonly versions: VersionColumns
  readonly links: LinkColumns
  readonly blocks: BlockColumns | undefined
}

/** The archive that records make, without a disk in between: what writing and reading would give. */
export function archiveOf(records: ArchiveRecords): Archive {
  const { site } = records
  const pages = new PageColumns(site.snapshots.length)
  take('pages.jsonl.gz', records.pages, pages)
  const links = new LinkColumns(pages.urls)
  take('links.jsonl.gz', records.links, links)
  const blocks = new BlockColumns()
  take('blocks.jsonl.gz', records.blocks, blocks)
  const versions = new VersionColumns(pages.count, links.count, blocks)
  take('versions.jsonl.gz', records.versions, versions)
  return assembleArchive(site, { pages, versions, links, blocks }, (file) => file)
}

function take<T>(
  file: string,
  records: Iterable<T>,
  columns: { add(record: T, index: number): string | undefined },
): void {
  let index = 0
  for (const record of records) {
    const wrong = columns.add(record, index++)
    if (wrong) throw lineError(file, index, wrong)
  }
}

/** Checks what needs several files at once, and makes the archive. */
export function assembleArchive(
  site: SiteRecord,
  { pages, versions, links, blocks }: ColumnsOfFiles,
  pathOf: (file: string) => string,
): Archive {
  const spanOffsets = pages.spanOffsets.view()
  const spans = pages.spans.view()
  const versionPages = versions.pages.view()
  checkSpanVersions(pathOf('pages.jsonl.gz'), spanOffsets, spans, versionPages)
  checkLiveCounts(pathOf('site.json'), site, spans)
  return new Archive({
    site,
    pageUrls: pages.urls,
    spanOffsets,
    spans,
    versionPages,
    versionTitles: versions.titleNumbers.view(),
    contentHashes: versions.contentHashes.view(),
    mainHashes: versions.mainHashes.view(),
    textLengths: versions.textLengths.view(),
    linkRunOffsets: versions.linkRunOffsets.view(),
    linkRuns: versions.linkRuns.view(),
    redirects: versions.redirects,
    titles: versions.titles,
    hashes: versions.hashes,
    linkTargets: links.targets.view(),
    linkAnchors: links.anchorNumbers.view(),
    linkPlaces: links.places.view(),
    anchors: links.anchors,
    outsideUrls: links.outsideUrls,
    text: blocks && {
      arena: blocks.arena,
      places: blocks.places.view(),
      boilerplate: blocks.boilerplate.view(),
      runOffsets: versions.blockRunOffsets.view(),
      runs: versions.blockRuns.view(),
    },
  })
}

/** Spans are read before the versions they name, so this waits until both are known. */
function checkSpanVersions(
  path: string,
  spanOffsets: Uint32Array,
  spans: Uint32Array,
  versionPages: Uint32Array,
): void {
  for (let page = 0; page < spanOffsets.length - 1; page++) {
    for (let at = spanOffsets[page]; at < spanOffsets[page + 1]; at += 3) {
      const version = spans[at + 2]
      if (version >= versionPages.length) {
        const what = `v names version ${version}, but versions.jsonl.gz has ${versionPages.length}`
        throw lineError(path, page + 1, what)
      }
      if (versionPages[version] !== page) {
        const what = `v names version ${version}, which belongs to page ${versionPages[version]}`
        throw lineError(path, page + 1, what)
      }
    }
  }
}

/** A file cut at a line boundary looks whole; the counts in `site.json` tell. */
function checkLiveCounts(path: string, site: SiteRecord, spans: Uint32Array): void {
  const change = new Int32Array(site.snapshots.length + 1)
  for (let at = 0; at < spans.length; at += 3) {
    change[spans[at]]++
    change[spans[at + 1] + 1]--
  }
  let live = 0
  for (const snapshot of site.snapshots) {
    live += change[snapshot.i]
    if (live !== snapshot.live)
      throw new SettingError(
        'archive',
        `${path}: snapshot ${snapshot.i} says ${snapshot.live} live pages, pages.jsonl.gz has ${live}`,
      )
  }
}
