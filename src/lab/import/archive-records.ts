import type {
  ArchiveRecords,
  BlockRecord,
  LinkRecord,
  PageRecord,
  SiteRecord,
  VersionRecord,
} from '#archive/format/format.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { boilerplateBlocks } from './boilerplate.ts'
import { type Content, hashOf, type ImportedWeb } from './imported-web.ts'
import { KeptLines } from './kept-lines.ts'
import type { PageHistory } from './page-histories.ts'

/** What an archive is told about itself. */
interface ImportedSite {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly start: readonly string[]
  /** The day of each snapshot, and what else is known of it. */
  readonly snapshots: readonly { readonly date: string }[]
  readonly source?: unknown
}

/** The archive of pages whose histories are known; `addressOf` says under which URL we know a link's. */
export function archiveRecords(
  web: ImportedWeb,
  histories: readonly PageHistory[],
  site: ImportedSite,
  addressOf: (url: string) => string = (url) => url,
): ArchiveRecords {
  const boilerplate = boilerplateBlocks(web, histories)
  const numbered = numberVersions(histories)
  const contents = numbered.flatMap((page) => page.contents).map((content) => web.contents[content])
  const blocks = new KeptLines(web.blocks.size, contents, (content) => content.blocks)
  const links = new KeptLines(web.linkCount, contents, (content) => content.links)
  const lines = { blocks, links, boilerplate }
  return {
    site: describeSite(web, site, histories),
    pages: { [Symbol.iterator]: () => pageRecords(web, numbered) },
    versions: { [Symbol.iterator]: () => versionRecords(web, numbered, lines, addressOf) },
    blocks: { [Symbol.iterator]: () => blockRecords(web, lines) },
    links: { [Symbol.iterator]: () => linkRecords(web, histories, links, addressOf) },
  }
}

/** The lines an archive keeps, and which blocks are boilerplate, by their old numbers. */
interface Lines {
  readonly blocks: KeptLines
  readonly links: KeptLines
  readonly boilerplate: Uint8Array
}

/** A page with the contents it ever showed, oldest first, and the number of the first. */
interface NumberedPage {
  readonly history: PageHistory
  readonly contents: readonly number[]
  readonly firstVersion: number
}

function numberVersions(histories: readonly PageHistory[]): NumberedPage[] {
  let firstVersion = 0
  return histories.map((history) => {
    const contents = [...new Set(history.spans.map(([, , content]) => content))]
    const page = { history, contents, firstVersion }
    firstVersion += contents.length
    return page
  })
}

function* pageRecords(web: ImportedWeb, pages: readonly NumberedPage[]): Generator<PageRecord> {
  for (const [i, { history, contents, firstVersion }] of pages.entries()) {
    const versionOf = new Map(contents.map((content, k) => [content, firstVersion + k]))
    const v = history.spans.map(
      ([first, last, content]) => [first, last, versionOf.get(content)!] as const,
    )
    yield { i, url: web.urls.at(history.page), v }
  }
}

function* versionRecords(
  web: ImportedWeb,
  pages: readonly NumberedPage[],
  lines: Lines,
  addressOf: (url: string) => string,
): Generator<VersionRecord> {
  for (const [p, { contents, firstVersion }] of pages.entries())
    for (const [k, number] of contents.entries()) {
      const content = web.contents[number]
      const { hash, title, textChars, redirect } = content
      const record = {
        i: firstVersion + k,
        p,
        h: hash,
        c: mainHash(web, content, lines.boilerplate),
        t: title,
        n: textChars,
        b: lines.blocks.renumbered(content.blocks),
        l: lines.links.renumbered(content.links),
      }
      yield redirect === undefined ? record : { ...record, rd: addressOf(redirect) }
    }
}

function mainHash(web: ImportedWeb, content: Content, boilerplate: Uint8Array): string {
  const lines = [content.redirect ?? content.title]
  const { blocks: runs } = content
  for (let at = 0; at < runs.length; at += 2)
    for (let block = runs[at]; block < runs[at] + runs[at + 1]; block++)
      if (!boilerplate[block]) lines.push(web.blocks.at(block))
  return hashOf(lines.join('\n'))
}

function* blockRecords(web: ImportedWeb, { blocks, boilerplate }: Lines): Generator<BlockRecord> {
  for (const block of blocks.kept()) {
    const text = web.blocks.at(block)
    yield boilerplate[block] ? [text, 1] : [text]
  }
}

function* linkRecords(
  web: ImportedWeb,
  histories: readonly PageHistory[],
  links: KeptLines,
  addressOf: (url: string) => string,
): Generator<LinkRecord> {
  const isPage = new Uint8Array(web.urls.size)
  for (const { page } of histories) isPage[page] = 1
  const hosts = hostsOf(web, histories)
  for (const link of links.kept()) {
    const { url: written, anchor } = web.link(link)
    const url = addressOf(written)
    const page = web.urls.find(url)
    if (page !== undefined && isPage[page]) yield [url, anchor, 1]
    else if (hosts.has(hostOf(url))) yield [url, anchor, 2]
    else yield [url, anchor]
  }
}

function hostsOf(web: ImportedWeb, histories: readonly PageHistory[]): Set<string> {
  return new Set(histories.map(({ page }) => hostOf(web.urls.at(page))))
}

/** How many pages are live at each snapshot. */
function liveCounts(histories: readonly PageHistory[], snapshots: number): number[] {
  const change = new Int32Array(snapshots + 1)
  for (const { spans } of histories)
    for (const [first, last] of spans) {
      change[first]++
      change[last + 1]--
    }
  let live = 0
  return Array.from({ length: snapshots }, (_, snapshot) => {
    live += change[snapshot]
    return live
  })
}

function describeSite(
  web: ImportedWeb,
  { id, name, kind, start, source, snapshots }: ImportedSite,
  histories: readonly PageHistory[],
): SiteRecord {
  const live = liveCounts(histories, snapshots.length)
  const hosts = hostsOf(web, histories)
  const robots = [...web.robots].filter(([host]) => hosts.has(host))
  return {
    format: 'evolution/1',
    id,
    name,
    kind,
    origin: start[0],
    start,
    source,
    snapshots: snapshots.map((snapshot, i) => ({ i, ...snapshot, live: live[i] })),
    ...(robots.length > 0 && {
      robots: Object.fromEntries(robots.map(([host, { text }]) => [host, text])),
    }),
  }
}
