import type { BlockRecord, LinkRecord, PageRecord, VersionRecord } from '#archive/format/format.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { hash64, lastHash64, mixHash } from '#numeric/hash.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { NEVER } from '../skeleton/pages.ts'
import { targetUrl, urlOf } from './addresses.ts'
import { anchorText, titleOf, WORDINGS } from './anchors.ts'
import { BlockKind, BlockWriter, firstOf, isBoilerplate, kindOf } from './blocks.ts'
import { type History, replayHistories, type Version } from './histories.ts'
import type { EditorialLinks } from './links.ts'
import { templateWeeks } from './templates.ts'

/**
 * The four line files of an archive. Each replays the web's history on its own, so they can be read
 * in any order and as often as wanted, and none is ever in memory as a whole.
 */
export class ModelWebRecords {
  readonly #web: ModelWeb
  readonly #editorial: EditorialLinks
  readonly #templates: Uint16Array

  constructor(web: ModelWeb, editorial: EditorialLinks) {
    this.#web = web
    this.#editorial = editorial
    this.#templates = templateWeeks(web)
  }

  get pages(): Iterable<PageRecord> {
    return { [Symbol.iterator]: () => this.#pages() }
  }

  get versions(): Iterable<VersionRecord> {
    return { [Symbol.iterator]: () => this.#versions() }
  }

  get blocks(): Iterable<BlockRecord> {
    return { [Symbol.iterator]: () => this.#blocks() }
  }

  get links(): Iterable<LinkRecord> {
    return { [Symbol.iterator]: () => this.#links() }
  }

  #histories(): Generator<History> {
    return replayHistories(this.#web, this.#editorial, this.#templates)
  }

  *#pages(): Generator<PageRecord> {
    let made = 0
    for (const { page, versions } of this.#histories()) {
      const spans = versions.flatMap((version, i) =>
        version.spans.map(([first, last]): [number, number, number] => [first, last, made + i]),
      )
      made += versions.length
      yield { i: page, url: urlOf(this.#web, page), v: spans.sort(([a], [b]) => a - b) }
    }
  }

  *#versions(): Generator<VersionRecord> {
    const web = this.#web
    const blockLines = new BlockLines(web)
    const linkLines = new LinkLines(web)
    const digest = new VersionDigest(new BlockWriter(web))
    let i = 0
    for (const { page, versions } of this.#histories()) {
      blockLines.startPage()
      for (const version of versions) {
        const { blocks, links } = version.content
        const lines = blocks.map((key) => blockLines.lineOf(key))
        const linkNumbers = links.map((code) => linkLines.lineOf(code))
        digest.learn(blockLines.takeNew())
        const rd = version.redirectTo === undefined ? undefined : urlOf(web, version.redirectTo)
        const t = rd === undefined ? titleOf(web, titlePage(web, page)) : ''
        const { h, c, n } = digest.of(t + (rd ?? ''), version, lines)
        const record = { i: i++, p: page, h, c, t, n, b: toRuns(lines), l: toRuns(linkNumbers) }
        yield rd === undefined ? record : { ...record, rd }
      }
    }
  }

  *#blocks(): Generator<BlockRecord> {
    const blockLines = new BlockLines(this.#web)
    const writer = new BlockWriter(this.#web)
    for (const { versions } of this.#histories()) {
      blockLines.startPage()
      for (const { content } of versions) for (const key of content.blocks) blockLines.lineOf(key)
      for (const key of blockLines.takeNew()) {
        const text = writer.text(key)
        yield isBoilerplate(key) ? [text, 1] : [text]
      }
    }
  }

  *#links(): Generator<LinkRecord> {
    const web = this.#web
    const linkLines = new LinkLines(web)
    for (const { versions } of this.#histories())
      for (const { content } of versions)
        for (const code of content.links) {
          if (!linkLines.isNew(code)) continue
          linkLines.lineOf(code)
          const target = Math.floor(code / WORDINGS)
          const url = targetUrl(web, target)
          const anchor = anchorText(web, target, code % WORDINGS)
          if (target < web.pages.count) yield [url, anchor, 1]
          else if (web.extras[target - web.pages.count].onSite) yield [url, anchor, 2]
          else yield [url, anchor]
        }
  }
}

/** A mirror, a variant and a moved page bear the title of what they show. */
const titlePage = (web: ModelWeb, page: number): number => web.pages.textOf[page]

/** Numbers blocks in the order of first use. What several pages may share is remembered for good. */
class BlockLines {
  readonly #shared = new Map<number, number>()
  readonly #ofPage = new Map<number, number>()
  readonly #teasers: Int32Array
  readonly #copied: Uint8Array
  #new: number[] = []
  #count = 0

  constructor(web: ModelWeb) {
    const { pages } = web
    this.#teasers = new Int32Array(pages.count).fill(-1)
    this.#copied = new Uint8Array(pages.count)
    for (let page = 0; page < pages.count; page++)
      if (pages.textOf[page] !== page || pages.redirectAt[page] !== NEVER)
        this.#copied[pages.textOf[page]] = 1
  }

  startPage(): void {
    this.#ofPage.clear()
  }

  lineOf(key: number): number {
    const kind = kindOf(key)
    if (kind === BlockKind.teaser) {
      const page = firstOf(key)
      if (this.#teasers[page] < 0) this.#teasers[page] = this.#add(key)
      return this.#teasers[page]
    }
    const ownedByPage = kind >= BlockKind.visitors && !this.#copied[firstOf(key)]
    const known = ownedByPage ? this.#ofPage : this.#shared
    let line = known.get(key)
    if (line === undefined) {
      line = this.#add(key)
      known.set(key, line)
    }
    return line
  }

  /** Keys numbered since the last call, in order. */
  takeNew(): number[] {
    const taken = this.#new
    this.#new = []
    return taken
  }

  #add(key: number): number {
    this.#new.push(key)
    return this.#count++
  }
}

/** Numbers links in the order of first use. */
class LinkLines {
  readonly #lines: Int32Array
  #count = 0

  constructor(web: ModelWeb) {
    this.#lines = new Int32Array((web.pages.count + web.extras.length) * WORDINGS).fill(-1)
  }

  isNew(code: number): boolean {
    return this.#lines[code] < 0
  }

  lineOf(code: number): number {
    if (this.#lines[code] < 0) this.#lines[code] = this.#count++
    return this.#lines[code]
  }
}

/** Lengths and hashes of versions, from those of their blocks, so that a text is hashed only once. */
class VersionDigest {
  readonly #writer: BlockWriter
  readonly #length = new GrowingColumn(Uint32Array)
  readonly #low = new GrowingColumn(Uint32Array)
  readonly #high = new GrowingColumn(Uint32Array)

  constructor(writer: BlockWriter) {
    this.#writer = writer
  }

  learn(keys: readonly number[]): void {
    for (const key of keys) {
      const text = this.#writer.text(key)
      hash64(text)
      this.#length.push(text.length)
      this.#low.push(lastHash64[0])
      this.#high.push(lastHash64[1])
    }
  }

  of(
    title: string,
    version: Version,
    lines: readonly number[],
  ): { h: string; c: string; n: number } {
    const { blocks, links } = version.content
    hash64(title)
    let [low, high] = lastHash64
    let mainLow = low
    let mainHigh = high
    let n = Math.max(0, lines.length - 1)
    lines.forEach((line, i) => {
      n += this.#length.at(line)
      low = mixHash(low, this.#low.at(line))
      high = mixHash(high, this.#high.at(line))
      if (isBoilerplate(blocks[i])) return
      mainLow = mixHash(mainLow, this.#low.at(line))
      mainHigh = mixHash(mainHigh, this.#high.at(line))
    })
    for (const code of links) {
      low = mixHash(low, code)
      high = mixHash(high, code ^ 0x5bd1e995)
    }
    return { h: hex(low) + hex(high), c: (hex(mainLow) + hex(mainHigh)).slice(0, 12), n }
  }
}

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0')

/** `[start, count, start, count, …]` of a list of line numbers. */
export function toRuns(lines: readonly number[]): number[] {
  const runs: number[] = []
  for (const line of lines) {
    const last = runs.length - 2
    if (last >= 0 && runs[last] + runs[last + 1] === line) runs[last + 1]++
    else runs.push(line, 1)
  }
  return runs
}
