import { GrowingColumn } from '#numeric/grow.ts'
import { StringTable } from '#numeric/string-table.ts'
import { TextArena } from '#numeric/text-arena.ts'
import { isJsonObject, shownJson } from '#parse/text/json-value.ts'

/*
 * One class a file: it takes the parsed lines in order and keeps them as columns. `add` gives what
 * is wrong with a line, or undefined; the caller knows the file and the line.
 */

const MAX_UINT32 = 0xffffffff
/** What one version may refer to, far beyond any page: a few numbers could name millions of lines. */
const MAX_LINES_OF_VERSION = 1 << 20
const MAX_CHARS_OF_VERSION = 1 << 24

/** `pages.jsonl.gz`. Whether the versions fit is checked once they are read. */
export class PageColumns {
  readonly urls = new StringTable()
  readonly spanOffsets = new GrowingColumn(Uint32Array)
  /** First snapshot, last snapshot, version. */
  readonly spans = new GrowingColumn(Uint32Array)
  readonly #snapshots: number

  constructor(snapshots: number) {
    this.#snapshots = snapshots
    this.spanOffsets.push(0)
  }

  get count(): number {
    return this.urls.size
  }

  add(line: unknown, index: number): string | undefined {
    if (!isJsonObject(line)) return 'must be an object {i, url, v}'
    const { i, url, v } = line
    if (i !== index) return numberingFault(i, index)
    if (typeof url !== 'string' || !isWebUrl(url))
      return `url must be an http(s) URL, not ${shownJson(url)}`
    const number = this.urls.add(url)
    if (number !== index) return `url ${shownJson(url)} is that of page ${number} too`
    if (!Array.isArray(v) || v.length === 0)
      return 'v must list at least one span [from, to, version]'
    let free = 0
    for (const span of v) {
      const wrong = this.#faultOfSpan(span, free)
      if (wrong) return wrong
      free = span[1] + 1
      this.spans.append(span)
    }
    this.spanOffsets.push(this.spans.length)
    return undefined
  }

  #faultOfSpan(span: unknown, free: number): string | undefined {
    if (!Array.isArray(span) || span.length !== 3 || !span.every(isCount))
      return `v must hold spans [from, to, version] of whole numbers, not ${shownJson(span)}`
    const [from, to] = span
    if (to >= this.#snapshots)
      return `span ${shownJson(span)} goes beyond the last snapshot, ${this.#snapshots - 1}`
    if (from > to) return `span ${shownJson(span)} ends before it starts`
    if (from < free) return `span ${shownJson(span)} overlaps or precedes the one before it`
    return undefined
  }
}

/** `links.jsonl.gz`. A link to a page of the archive keeps its number, not its URL. */
export class LinkColumns {
  readonly targets = new GrowingColumn(Uint32Array)
  readonly anchorNumbers = new GrowingColumn(Uint32Array)
  readonly places = new GrowingColumn(Uint8Array)
  readonly anchors = new StringTable()
  readonly outsideUrls = new StringTable()
  readonly #pageUrls: StringTable

  constructor(pageUrls: StringTable) {
    this.#pageUrls = pageUrls
  }

  get count(): number {
    return this.targets.length
  }

  add(line: unknown): string | undefined {
    if (!Array.isArray(line) || line.length < 2 || line.length > 3)
      return 'must be [url, anchor] or [url, anchor, 1 or 2]'
    const [url, anchor, place] = line
    if (typeof url !== 'string') return `url must be a text, not ${shownJson(url)}`
    if (typeof anchor !== 'string') return `anchor must be a text, not ${shownJson(anchor)}`
    if (line.length === 3 && place !== 1 && place !== 2)
      return `the third value must be 1 (a page of the archive) or 2 (on the site), not ${shownJson(place)}`
    const page = this.#pageUrls.find(url)
    if (place === 1 && page === undefined)
      return `${shownJson(url)} is marked as a page of the archive, but pages.jsonl.gz does not have it`
    this.targets.push(page ?? this.#pageUrls.size + this.outsideUrls.add(url))
    this.anchorNumbers.push(this.anchors.add(anchor))
    this.places.push(place ?? 0)
    return undefined
  }
}

/** `blocks.jsonl.gz`. */
export class BlockColumns {
  readonly arena = new TextArena()
  readonly places = new GrowingColumn(Uint32Array)
  readonly boilerplate = new GrowingColumn(Uint8Array)
  /** Characters of all blocks before each, and of all at the end. */
  readonly #charsBefore = new GrowingColumn(Float64Array)
  #chars = 0

  get count(): number {
    return this.places.length
  }

  add(line: unknown): string | undefined {
    if (!Array.isArray(line) || line.length < 1 || line.length > 2 || typeof line[0] !== 'string')
      return 'must be [text] or [text, 1]'
    if (line.length === 2 && line[1] !== 1)
      return `the second value must be 1 (boilerplate), not ${shownJson(line[1])}`
    this.places.push(this.arena.add(line[0]))
    this.#charsBefore.push(this.#chars)
    this.#chars += line[0].length
    this.boilerplate.push(line.length - 1)
    return undefined
  }

  /** Characters of `count` blocks from `start` on. */
  charsIn(start: number, count: number): number {
    const end = start + count
    const upTo = end < this.count ? this.#charsBefore.at(end) : this.#chars
    return upTo - this.#charsBefore.at(start)
  }
}

/** `versions.jsonl.gz`; without the blocks, their runs are checked for shape only and not kept. */
export class VersionColumns {
  readonly pages = new GrowingColumn(Uint32Array)
  readonly titleNumbers = new GrowingColumn(Uint32Array)
  readonly contentHashes = new GrowingColumn(Uint32Array)
  readonly mainHashes = new GrowingColumn(Uint32Array)
  readonly textLengths = new GrowingColumn(Uint32Array)
  readonly blockRunOffsets = new GrowingColumn(Uint32Array)
  readonly blockRuns = new GrowingColumn(Uint32Array)
  readonly linkRunOffsets = new GrowingColumn(Uint32Array)
  readonly linkRuns = new GrowingColumn(Uint32Array)
  readonly titles = new StringTable()
  readonly hashes = new StringTable()
  readonly redirects = new Map<number, string>()
  readonly #linkCount: number
  readonly #blocks: BlockColumns | undefined
  readonly #isPageSeen: Uint8Array

  constructor(pageCount: number, linkCount: number, blocks: BlockColumns | undefined) {
    this.#linkCount = linkCount
    this.#blocks = blocks
    this.#isPageSeen = new Uint8Array(pageCount)
    this.blockRunOffsets.push(0)
    this.linkRunOffsets.push(0)
  }

  add(line: unknown, index: number): string | undefined {
    if (!isJsonObject(line)) return 'must be an object {i, p, h, c, t, n, b, l}'
    const { i, p, h, c, t, n, b, l, rd } = line
    if (i !== index) return numberingFault(i, index)
    const wrong =
      this.#faultOfPage(p) ??
      faultOfTexts({ h, c, t }) ??
      (isCount(n) ? undefined : `n must be a text length, not ${shownJson(n)}`) ??
      faultOfRuns('b', b, this.#blocks?.count, 'blocks.jsonl.gz') ??
      faultOfRuns('l', l, this.#linkCount, 'links.jsonl.gz') ??
      this.#faultOfText(b as number[])
    if (wrong) return wrong
    if (rd !== undefined && (typeof rd !== 'string' || rd === ''))
      return `rd must be the URL this version redirects to, not ${shownJson(rd)}`
    this.pages.push(p as number)
    this.contentHashes.push(this.hashes.add(h as string))
    this.mainHashes.push(this.hashes.add(c as string))
    this.titleNumbers.push(this.titles.add(t as string))
    this.textLengths.push(n as number)
    if (this.#blocks) this.blockRuns.append(b as number[])
    this.blockRunOffsets.push(this.blockRuns.length)
    this.linkRuns.append(l as number[])
    this.linkRunOffsets.push(this.linkRuns.length)
    if (rd !== undefined) this.redirects.set(index, rd)
    return undefined
  }

  #faultOfText(runs: readonly number[]): string | undefined {
    let chars = 0
    for (let at = 0; this.#blocks && at < runs.length; at += 2)
      chars += this.#blocks.charsIn(runs[at], runs[at + 1])
    return chars <= MAX_CHARS_OF_VERSION
      ? undefined
      : `b names a text of ${chars} characters, and ${MAX_CHARS_OF_VERSION} is the most`
  }

  #faultOfPage(p: unknown): string | undefined {
    const pages = this.#isPageSeen.length
    if (!isCount(p) || p >= pages)
      return `p must be a page number below ${pages}, not ${shownJson(p)}`
    const last = this.pages.length - 1
    const isNeighbour = last >= 0 && this.pages.at(last) === p
    if (this.#isPageSeen[p] && !isNeighbour)
      return `versions of page ${p} must be neighbours; it had some earlier`
    this.#isPageSeen[p] = 1
    return undefined
  }
}

function faultOfTexts(fields: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(fields))
    if (typeof value !== 'string') return `${name} must be a text, not ${shownJson(value)}`
  return undefined
}

function faultOfRuns(
  name: string,
  runs: unknown,
  lines: number | undefined,
  file: string,
): string | undefined {
  if (!Array.isArray(runs) || runs.length % 2 !== 0)
    return `${name} must be runs [start, count, …], not ${shownJson(runs)}`
  let total = 0
  for (let at = 0; at < runs.length; at += 2) {
    const start: unknown = runs[at]
    const count: unknown = runs[at + 1]
    if (!isCount(start) || !isCount(count) || count === 0)
      return `${name} must hold whole numbers, counts above 0; not [${shownJson(start)}, ${shownJson(count)}]`
    if (lines !== undefined && start + count > lines)
      return `${name} has a run [${start}, ${count}] beyond the ${lines} lines of ${file}`
    total += count
    if (total > MAX_LINES_OF_VERSION)
      return `${name} names more than ${MAX_LINES_OF_VERSION} lines of ${file}`
  }
  return undefined
}

function numberingFault(i: unknown, index: number): string {
  return `i must be ${index}, counting lines from 0, not ${shownJson(i)}`
}

/** Whether a text is an absolute http or https URL. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_UINT32
}
