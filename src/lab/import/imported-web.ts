import { toRuns } from '#archive/format/line-runs.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { hash64, lastHash64 } from '#numeric/hash.ts'
import { StringTable } from '#numeric/string-table.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import type { Capture } from './capture.ts'

/** One content of a page, its text and links as numbers. */
export interface Content {
  readonly hash: string
  readonly title: string
  readonly textChars: number
  /** Runs of line numbers, as archives keep them. */
  readonly blocks: readonly number[]
  readonly links: readonly number[]
  readonly redirect?: string
}

/** What a page was found to be at a moment. */
interface Sighting {
  readonly at: number
  /** Number of its content, or why there is none. */
  readonly content: number | 'gone' | 'unchanged'
  /** With `unchanged`: the payload it repeats, if that is known. */
  readonly digest?: string
}

const LINK_SEPARATOR = '\n'

/**
 * All that captures tell about a web, whatever order they come in. Texts and links are kept once;
 * pages themselves are not kept.
 */
export class ImportedWeb {
  readonly urls = new StringTable()
  readonly blocks = new StringTable()
  readonly robots = new Map<string, { readonly at: number; readonly text: string }>()
  readonly seeds = new Set<string>()
  readonly contents: Content[] = []
  readonly #links = new StringTable()
  readonly #sightings: Sighting[][] = []
  readonly #contentOfHash = new Map<string, number>()
  readonly #contentOfDigest = new Map<string, number>()
  readonly #linkedFrom = new GrowingColumn(Uint32Array)
  readonly #isKept: (url: string) => boolean

  /** Links to URLs that are not to be kept are as if they were not there. */
  constructor(isKept: (url: string) => boolean = () => true) {
    this.#isKept = isKept
  }

  get linkCount(): number {
    return this.#links.size
  }

  add(capture: Capture): void {
    const { at } = capture
    switch (capture.kind) {
      case 'seed':
        this.seeds.add(capture.url)
        return
      case 'robots': {
        const known = this.robots.get(capture.host)
        if (!known || known.at <= at) this.robots.set(capture.host, { at, text: capture.text })
        return
      }
      case 'gone':
        this.#see(capture.url, { at, content: 'gone' })
        return
      case 'unchanged':
        this.#see(capture.url, { at, content: 'unchanged', digest: capture.digest })
        return
      case 'redirect': {
        const hash = hashOf(`redirect\n${capture.target}`)
        const page = this.#pageOf(capture.url)
        const content = this.#contentOf(page, hash, () => redirectContent(hash, capture.target))
        this.#noteDigest(page, capture.digest, content)
        this.#see(capture.url, { at, content })
        return
      }
      case 'page':
        this.#see(capture.url, { at, content: this.#addPage(capture) })
    }
  }

  /** What was seen of a page, oldest first. */
  sightingsOf(page: number): readonly Sighting[] {
    return this.#sightings[page].sort((a, b) => a.at - b.at)
  }

  /** The content that a payload digest stands for on this page, or else on any. */
  contentOfDigest(page: number, digest: string): number | undefined {
    return this.#contentOfDigest.get(`${page} ${digest}`) ?? this.#contentOfDigest.get(digest)
  }

  /** Whether a payload was read as this very page, whose links depend on where it is. */
  knowsDigest(url: string, digest: string): boolean {
    return this.#contentOfDigest.has(`${this.#pageOf(url)} ${digest}`)
  }

  link(number: number): { url: string; anchor: string } {
    const [url, anchor] = this.#links.at(number).split(LINK_SEPARATOR, 2)
    return { url, anchor }
  }

  /** How many captured contents link to a URL. */
  timesLinked(link: number): number {
    return this.#linkedFrom.at(link)
  }

  #addPage({ url, page, digest }: Extract<Capture, { kind: 'page' }>): number {
    const number = this.#pageOf(url)
    const content = this.#contentOf(number, hashOfPage(page), (hash) => this.#read(page, hash))
    this.#noteDigest(number, digest, content)
    return content
  }

  #noteDigest(page: number, digest: string | undefined, content: number): void {
    if (digest === undefined) return
    this.#contentOfDigest.set(`${page} ${digest}`, content)
    this.#contentOfDigest.set(digest, content)
  }

  #read(page: ParsedPage, hash: string): Content {
    const blocks = page.text.split('\n').filter((line) => line !== '')
    const links = page.links
      .filter(({ url }) => this.#isKept(url))
      .map(({ url, anchor }) =>
        this.#links.add(url + LINK_SEPARATOR + anchor.replaceAll('\n', ' ')),
      )
    for (const link of new Set(links)) this.#countLink(link)
    return {
      hash,
      title: page.title,
      textChars: page.text.length,
      blocks: toRuns(blocks.map((block) => this.blocks.add(block))),
      links: toRuns(links),
    }
  }

  #countLink(link: number): void {
    this.#linkedFrom.lengthen(link + 1)
    this.#linkedFrom.set(link, this.#linkedFrom.at(link) + 1)
  }

  #contentOf(page: number, hash: string, make: (hash: string) => Content): number {
    const key = `${page} ${hash}`
    let content = this.#contentOfHash.get(key)
    if (content === undefined) {
      content = this.contents.push(make(hash)) - 1
      this.#contentOfHash.set(key, content)
    }
    return content
  }

  #see(url: string, sighting: Sighting): void {
    this.#sightings[this.#pageOf(url)].push(sighting)
  }

  #pageOf(url: string): number {
    const page = this.urls.add(canonicalUrl(url) ?? url)
    this.#sightings[page] ??= []
    return page
  }
}

function redirectContent(hash: string, target: string): Content {
  return { hash, title: '', textChars: 0, blocks: [], links: [], redirect: target }
}

function hashOfPage({ title, text, links }: ParsedPage): string {
  return hashOf(
    `${title}\n${text}\n\n${links.map(({ url, anchor }) => `${url} ${anchor}`).join('\n')}`,
  )
}

/** The 64-bit hash of a text in hex. */
export function hashOf(text: string): string {
  hash64(text)
  const [low, high] = lastHash64
  return low.toString(16).padStart(8, '0') + high.toString(16).padStart(8, '0')
}
