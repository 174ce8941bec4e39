import type { BlockRecord, LinkRecord, PageRecord, VersionRecord } from '#archive/format/format.ts'
import { toRuns } from '#archive/format/line-runs.ts'
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
export function modelWebLines(web: ModelWeb, editorial: EditorialLinks) {
  const templates = templateWeeks(web)
  const lines = <Line>(of: (web: ModelWeb, histories: Iterable<History>) => Iterator<Line>) => ({
    [Symbol.iterator]: () => of(web, replayHistories(web, editorial, templates)),
  })
  return {
    pages: lines(pageLines),
    versions: lines(versionLines),
    blocks: lines(blockLines),
    links: lines(linkLines),
  }
}

function* pageLines(web: ModelWeb, histories: Iterable<History>): Generator<PageRecord> {
  let made = 0
  for (const { page, versions } of histories) {
    const spans = versions.flatMap((version, i) =>
      version.spans.map(([first, last]): [number, number, number] => [first, last, made + i]),
    )
    made += versions.length
    yield { i: page, url: urlOf(web, page), v: spans.sort(([a], [b]) => a - b) }
  }
}

function* versionLines(web: ModelWeb, histories: Iterable<History>): Generator<VersionRecord> {
  const blockNumbers = new BlockNumbers(web)
  const linkNumbers = new LinkNumbers(web)
  const digest = new VersionDigest(new BlockWriter(web))
  let i = 0
  for (const { page, versions } of histories) {
    blockNumbers.startPage()
    for (const version of versions) {
      const lines = version.content.blocks.map((key) => blockNumbers.lineOf(key))
      const links = version.content.links.map((code) => linkNumbers.lineOf(code))
      digest.learn(blockNumbers.takeNew())
      const rd = version.redirectTo === undefined ? undefined : urlOf(web, version.redirectTo)
      // A mirror, a variant and a moved page bear the title of what they show.
      const t = rd === undefined ? titleOf(web, web.pages.textOf[page]) : ''
      const { h, c, n } = digest.of(t + (rd ?? ''), version, lines)
      const record = { i: i++, p: page, h, c, t, n, b: toRuns(lines), l: toRuns(links) }
      yield rd === undefined ? record : { ...record, rd }
    }
  }
}

function* blockLines(web: ModelWeb, histories: Iterable<History>): Generator<BlockRecord> {
  const blockNumbers = new BlockNumbers(web)
  const writer = new BlockWriter(web)
  for (const { versions } of histories) {
    blockNumbers.startPage()
    for (const { content } of versions) for (const key of content.blocks) blockNumbers.lineOf(key)
    for (const key of blockNumbers.takeNew()) {
      const text = writer.text(key)
      yield isBoilerplate(key) ? [text, 1] : [text]
    }
  }
}

function* linkLines(web: ModelWeb, histories: Iterable<History>): Generator<LinkRecord> {
  const linkNumbers = new LinkNumbers(web)
  for (const { versions } of histories)
    for (const code of versions.flatMap(({ content }) => content.links)) {
      if (!linkNumbers.isNew(code)) continue
      linkNumbers.lineOf(code)
      const target = Math.floor(code / WORDINGS)
      const url = targetUrl(web, target)
      const anchor = anchorText(web, target, code % WORDINGS)
      if (target < web.pages.count) yield [url, anchor, 1]
      else if (web.extras[target - web.pages.count].onSite) yield [url, anchor, 2]
      else yield [url, anchor]
    }
}

/** Numbers blocks in the order of first use. What several pages may share is remembered for good. */
class BlockNumbers {
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
class LinkNumbers {
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
