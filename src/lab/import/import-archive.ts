import { hostOf } from '#parse/canonical-url.ts'
import { UsageError } from '#parse/usage-error.ts'
import type {
  ArchiveRecords,
  BlockRecord,
  LinkRecord,
  PageRecord,
  SiteRecord,
  VersionRecord,
} from '#repository/archive/format.ts'
import { boilerplateBlocks } from './boilerplate.ts'
import { type Content, hashOf, type ImportedWeb } from './imported-web.ts'
import { type PageHistory, pageHistories } from './page-histories.ts'

export interface ImportOptions {
  readonly id: string
  readonly name: string
  readonly stepDays: number
  /** Seeds; if none, those the captures name, else a good guess. */
  readonly start: readonly string[]
  /** Where the captures come from, for `site.json`. */
  readonly source?: unknown
}

const DAY = 86_400
const MOST_SNAPSHOTS = 5000

/** The archive that captures make: what was seen within `stepDays` is one snapshot. */
export function importedArchive(web: ImportedWeb, options: ImportOptions): ArchiveRecords {
  const calendar = snapshotDates(web, options.stepDays)
  const histories = pageHistories(web, calendar.snapshotOf, calendar.dates.length)
  if (histories.length === 0)
    throw new UsageError('there is no page in these files: no HTML that was answered with 200')
  const boilerplate = boilerplateBlocks(web, histories)
  const numbered = numberVersions(histories)
  return {
    site: describeSite(web, options, calendar.dates, histories),
    pages: { [Symbol.iterator]: () => pageRecords(web, numbered) },
    versions: { [Symbol.iterator]: () => versionRecords(web, numbered, boilerplate) },
    blocks: { [Symbol.iterator]: () => blockRecords(web, boilerplate) },
    links: { [Symbol.iterator]: () => linkRecords(web, histories) },
  }
}

/** Days on which snapshots begin, from the first capture to the last. */
function snapshotDates(web: ImportedWeb, stepDays: number) {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (let page = 0; page < web.urls.size; page++)
    for (const { at } of web.sightingsOf(page)) {
      first = Math.min(first, at)
      last = Math.max(last, at)
    }
  if (first > last) throw new UsageError('there is no page in these files')
  const start = Math.floor(first / DAY) * DAY
  const snapshotOf = (at: number) => Math.floor((at - start) / (stepDays * DAY))
  const count = snapshotOf(last) + 1
  if (count > MOST_SNAPSHOTS)
    throw new UsageError(
      `--step-days ${stepDays} makes ${count} snapshots from ${dayOf(first)} to ${dayOf(last)}, and ${MOST_SNAPSHOTS} is the most: choose a longer step`,
    )
  const dates = Array.from({ length: count }, (_, i) => dayOf(start + i * stepDays * DAY))
  return { dates, snapshotOf }
}

const dayOf = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10)

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
    const v = history.spans.map(
      ([first, last, content]) => [first, last, firstVersion + contents.indexOf(content)] as const,
    )
    yield { i, url: web.urls.at(history.page), v }
  }
}

function* versionRecords(
  web: ImportedWeb,
  pages: readonly NumberedPage[],
  boilerplate: Uint8Array,
): Generator<VersionRecord> {
  for (const [p, { contents, firstVersion }] of pages.entries())
    for (const [k, number] of contents.entries()) {
      const content = web.contents[number]
      const { hash, title, textChars, blocks, links, redirect } = content
      const c = mainHash(web, content, boilerplate)
      const record = {
        i: firstVersion + k,
        p,
        h: hash,
        c,
        t: title,
        n: textChars,
        b: blocks,
        l: links,
      }
      yield redirect === undefined ? record : { ...record, rd: redirect }
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

function* blockRecords(web: ImportedWeb, boilerplate: Uint8Array): Generator<BlockRecord> {
  for (let block = 0; block < web.blocks.size; block++) {
    const text = web.blocks.at(block)
    yield boilerplate[block] ? [text, 1] : [text]
  }
}

function* linkRecords(web: ImportedWeb, histories: readonly PageHistory[]): Generator<LinkRecord> {
  const isPage = new Uint8Array(web.urls.size)
  for (const { page } of histories) isPage[page] = 1
  const hosts = hostsOf(web, histories)
  for (let link = 0; link < web.linkCount; link++) {
    const { url, anchor } = web.link(link)
    const page = web.urls.find(url)
    if (page !== undefined && isPage[page]) yield [url, anchor, 1]
    else if (hosts.has(hostOf(url))) yield [url, anchor, 2]
    else yield [url, anchor]
  }
}

function hostsOf(web: ImportedWeb, histories: readonly PageHistory[]): Set<string> {
  return new Set(histories.map(({ page }) => hostOf(web.urls.at(page))))
}

function describeSite(
  web: ImportedWeb,
  { id, name, start, source }: ImportOptions,
  dates: readonly string[],
  histories: readonly PageHistory[],
): SiteRecord {
  const live = new Uint32Array(dates.length)
  for (const { spans } of histories)
    for (const [first, last] of spans)
      for (let snapshot = first; snapshot <= last; snapshot++) live[snapshot]++
  const seeds = start.length > 0 ? start : findSeeds(web, histories)
  const hosts = hostsOf(web, histories)
  const robots = [...web.robots].filter(([host]) => hosts.has(host))
  return {
    format: 'evolution/1',
    id,
    name,
    kind: 'crawl',
    origin: seeds[0],
    start: seeds,
    source,
    snapshots: dates.map((date, i) => ({ i, date, live: live[i] })),
    ...(robots.length > 0 && {
      robots: Object.fromEntries(robots.map(([host, { text }]) => [host, text])),
    }),
  }
}

/** Seeds the crawler noted; else the home page with the most links to it; else the first page seen. */
function findSeeds(web: ImportedWeb, histories: readonly PageHistory[]): string[] {
  const pages = new Set(histories.map(({ page }) => web.urls.at(page)))
  const noted = [...web.seeds].filter((url) => pages.has(url))
  if (noted.length > 0) return noted
  const timesLinked = new Map<string, number>()
  for (let link = 0; link < web.linkCount; link++) {
    const { url } = web.link(link)
    if (!pages.has(url) || new URL(url).pathname !== '/' || url.includes('?')) continue
    timesLinked.set(url, (timesLinked.get(url) ?? 0) + web.timesLinked(link))
  }
  const [home] = [...timesLinked].sort(([, a], [, b]) => b - a)
  if (home) return [home[0]]
  const firstSeen = ({ page }: PageHistory) => web.sightingsOf(page)[0].at
  const earliest = histories.reduce((a, b) => (firstSeen(b) < firstSeen(a) ? b : a))
  return [web.urls.at(earliest.page)]
}
