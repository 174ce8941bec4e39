import { StringTable } from '#numeric/string-table.ts'
import type { TextArena } from '#numeric/text-arena.ts'
import type { SiteRecord } from './format.ts'

/** A version was live at every snapshot from `from` to `to`, both included. */
interface Span {
  readonly from: number
  readonly to: number
  readonly version: number
}

/**
 * An archive as columns. Rows of page p lie at spanOffsets[p] .. spanOffsets[p + 1], three numbers a
 * span: first snapshot, last snapshot, version. Runs of version v lie at its offsets, two numbers a
 * run: first line, count. A link target below the number of pages is a page, else an outside URL.
 */
interface ArchiveColumns {
  readonly site: SiteRecord
  readonly pageUrls: StringTable
  readonly spanOffsets: Uint32Array
  readonly spans: Uint32Array
  readonly versionPages: Uint32Array
  readonly versionTitles: Uint32Array
  readonly contentHashes: Uint32Array
  readonly mainHashes: Uint32Array
  readonly textLengths: Uint32Array
  readonly linkRunOffsets: Uint32Array
  readonly linkRuns: Uint32Array
  readonly redirects: ReadonlyMap<number, string>
  readonly titles: StringTable
  readonly hashes: StringTable
  readonly linkTargets: Uint32Array
  readonly linkAnchors: Uint32Array
  readonly linkPlaces: Uint8Array
  readonly anchors: StringTable
  readonly outsideUrls: StringTable
  /** Absent when the archive was read without its text. */
  readonly text?: ArchiveText
}

interface ArchiveText {
  readonly arena: TextArena
  /** Place of each block in the arena. */
  readonly places: Uint32Array
  readonly boilerplate: Uint8Array
  readonly runOffsets: Uint32Array
  readonly runs: Uint32Array
}

/** A recorded web with a clock, in memory. Pages, versions, links and snapshots are numbers from 0. */
export class Archive {
  readonly site: SiteRecord
  readonly #columns: ArchiveColumns
  readonly #times: Float64Array

  constructor(columns: ArchiveColumns) {
    this.site = columns.site
    this.#columns = columns
    this.#times = Float64Array.from(columns.site.snapshots, ({ date }) => Date.parse(date) / 1000)
  }

  /** The same web under other addresses; no two pages may come to share one. */
  renamed(rename: (url: string) => string, site: SiteRecord): Archive {
    const { pageUrls, outsideUrls, redirects } = this.#columns
    return new Archive({
      ...this.#columns,
      site,
      pageUrls: renamedTable(pageUrls, rename),
      outsideUrls: renamedTable(outsideUrls, rename),
      redirects: new Map(Array.from(redirects, ([version, url]) => [version, rename(url)])),
    })
  }

  get pageCount(): number {
    return this.#columns.spanOffsets.length - 1
  }

  get versionCount(): number {
    return this.#columns.versionPages.length
  }

  get snapshotCount(): number {
    return this.site.snapshots.length
  }

  get linkCount(): number {
    return this.#columns.linkTargets.length
  }

  get hasText(): boolean {
    return this.#columns.text !== undefined
  }

  /** Midnight UTC of the snapshot's date, in seconds since 1970. */
  timeOf(snapshot: number): number {
    return this.#times[snapshot]
  }

  /** The last snapshot taken at or before `time` (seconds since 1970); the first one before that. */
  snapshotAt(time: number): number {
    const later = this.#times.findIndex((taken) => taken > time)
    return later < 0 ? this.#times.length - 1 : Math.max(0, later - 1)
  }

  urlOf(page: number): string {
    return this.#columns.pageUrls.at(page)
  }

  /** The page with exactly this URL, as the archive spells it. */
  pageOfUrl(url: string): number | undefined {
    return this.#columns.pageUrls.find(url)
  }

  /** When which version was live, oldest first; between spans the page was gone. */
  spansOf(page: number): Span[] {
    const { spanOffsets, spans } = this.#columns
    const result: Span[] = []
    for (let at = spanOffsets[page]; at < spanOffsets[page + 1]; at += 3)
      result.push({ from: spans[at], to: spans[at + 1], version: spans[at + 2] })
    return result
  }

  /** The version live at a snapshot, if any. */
  versionAt(page: number, snapshot: number): number | undefined {
    const at = this.#spanAt(page, snapshot)
    return at < 0 ? undefined : this.#columns.spans[at + 2]
  }

  /** Since when what is live at `snapshot` has been so, in seconds since 1970: its Last-Modified. */
  liveSince(page: number, snapshot: number): number | undefined {
    const at = this.#spanAt(page, snapshot)
    return at < 0 ? undefined : this.#times[this.#columns.spans[at]]
  }

  /** Pages live at a snapshot, ascending. */
  livePages(snapshot: number): Uint32Array {
    const live = new Uint32Array(this.pageCount)
    let count = 0
    for (let page = 0; page < live.length; page++)
      if (this.#spanAt(page, snapshot) >= 0) live[count++] = page
    return live.slice(0, count)
  }

  pageOfVersion(version: number): number {
    return this.#columns.versionPages[version]
  }

  titleOf(version: number): string {
    return this.#columns.titles.at(this.#columns.versionTitles[version])
  }

  /** Hash of title, text and links. */
  contentHashOf(version: number): string {
    return this.#columns.hashes.at(this.#columns.contentHashes[version])
  }

  /** Hash of title and main text: equal when only navigation differs. */
  mainHashOf(version: number): string {
    return this.#columns.hashes.at(this.#columns.mainHashes[version])
  }

  /** Whether two versions have the same title, text and links, without making strings. */
  sameContent(version: number, other: number): boolean {
    return this.#columns.contentHashes[version] === this.#columns.contentHashes[other]
  }

  /** Whether two versions have the same title and main text, without making strings. */
  sameMainText(version: number, other: number): boolean {
    return this.#columns.mainHashes[version] === this.#columns.mainHashes[other]
  }

  /** Length of the text as it was, before any cap. */
  textLengthOf(version: number): number {
    return this.#columns.textLengths[version]
  }

  /** Where this version redirects to, if it is a redirect. */
  redirectOf(version: number): string | undefined {
    return this.#columns.redirects.get(version)
  }

  /** All text, one line a block. */
  textOf(version: number): string {
    const lines: string[] = []
    this.forEachBlock(version, (text) => lines.push(text))
    return lines.join('\n')
  }

  /** The text without boilerplate, one line a block. */
  mainTextOf(version: number): string {
    const lines: string[] = []
    this.forEachBlock(version, (text, boilerplate) => {
      if (!boilerplate) lines.push(text)
    })
    return lines.join('\n')
  }

  /** Calls `visit` for each text block of a version, in order. */
  forEachBlock(version: number, visit: (text: string, boilerplate: boolean) => void): void {
    const { text } = this.#columns
    if (!text) throw new Error('this archive was read without its text')
    const { arena, places, boilerplate, runOffsets, runs } = text
    forEachInRuns(runs, runOffsets[version], runOffsets[version + 1], (block) =>
      visit(arena.at(places[block]), boilerplate[block] === 1),
    )
  }

  /** Calls `visit` for each link of a version, in order, doublets included. */
  forEachLink(version: number, visit: (link: number) => void): void {
    const { linkRunOffsets, linkRuns } = this.#columns
    forEachInRuns(linkRuns, linkRunOffsets[version], linkRunOffsets[version + 1], visit)
  }

  /** The links of a version, in order, doublets included. */
  linksOf(version: number): Uint32Array {
    const { linkRunOffsets, linkRuns } = this.#columns
    const end = linkRunOffsets[version + 1]
    let count = 0
    for (let at = linkRunOffsets[version]; at < end; at += 2) count += linkRuns[at + 1]
    const links = new Uint32Array(count)
    let filled = 0
    this.forEachLink(version, (link) => {
      links[filled++] = link
    })
    return links
  }

  /** The page of this archive a link points to, if it is one. */
  linkPage(link: number): number | undefined {
    const target = this.#columns.linkTargets[link]
    return target < this.pageCount ? target : undefined
  }

  linkUrl(link: number): string {
    const { linkTargets, outsideUrls } = this.#columns
    const outside = linkTargets[link] - this.pageCount
    return outside < 0 ? this.urlOf(linkTargets[link]) : outsideUrls.at(outside)
  }

  linkAnchor(link: number): string {
    return this.#columns.anchors.at(this.#columns.linkAnchors[link])
  }

  linkIsOnSite(link: number): boolean {
    return this.#columns.linkPlaces[link] > 0
  }

  /** Index in `spans` of the span that covers a snapshot, or -1. */
  #spanAt(page: number, snapshot: number): number {
    const { spanOffsets, spans } = this.#columns
    const end = spanOffsets[page + 1]
    for (let at = spanOffsets[page]; at < end && spans[at] <= snapshot; at += 3)
      if (spans[at + 1] >= snapshot) return at
    return -1
  }
}

function renamedTable(urls: StringTable, rename: (url: string) => string): StringTable {
  const renamed = new StringTable()
  for (let url = 0; url < urls.size; url++)
    if (renamed.add(rename(urls.at(url))) !== url) throw new Error('two addresses became one')
  return renamed
}

function forEachInRuns(
  runs: Uint32Array,
  start: number,
  end: number,
  visit: (line: number) => void,
): void {
  for (let at = start; at < end; at += 2) {
    const first = runs[at]
    const beyond = first + runs[at + 1]
    for (let line = first; line < beyond; line++) visit(line)
  }
}
