import { RecordedRobots } from '#archive/recorded-robots.ts'
import type { RecordedWeb } from '#archive/recorded-web.ts'
import { UrlTable } from '#frontier/urls/url-table.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { SelectionFacts } from '../selection/selection-facts.ts'

/** Of a URL that no link leads to. */
export const MAX_DEPTH = 0xffff

/** A corpus as its own pages' links show it; URLs have numbers of the graph's own. */
export interface SandboxGraph {
  readonly facts: SelectionFacts
  /** The sandbox's number of each of the graph's URLs. */
  readonly urls: Uint32Array
}

/**
 * A recorded web as several crawls share it: every URL is requested at most once, and what came of it is
 * remembered for all.
 */
export class Sandbox {
  readonly #web: RecordedWeb
  readonly #robots: RecordedRobots
  readonly #urls = new UrlTable()
  /** By URL: the distinct URLs it links to; null for one that gave no document. */
  readonly #links = new Map<number, Uint32Array | null>()
  /** Pages share most links: by link of the archive, the number of its URL plus 1, or 0 if unread. */
  readonly #numberOfLink: Uint32Array

  constructor(web: RecordedWeb) {
    this.#web = web
    this.#robots = new RecordedRobots(web)
    this.#numberOfLink = new Uint32Array(web.archive.linkCount)
  }

  /** URLs requested so far. */
  get requested(): number {
    return this.#links.size
  }

  /** URLs heard of so far. */
  get size(): number {
    return this.#urls.size
  }

  urlOf(url: number): string {
    return this.#urls.urlOf(url)
  }

  find(url: string): number | undefined {
    return this.#urls.find(url)
  }

  /** The number of a URL, which may be new to the sandbox. */
  add(url: string): number {
    return this.#urls.add(url)
  }

  /** Whether a request of the URL gives a document; a redirect is one. */
  gives(url: number): boolean {
    return this.linksOf(url) !== null
  }

  /** Whether robots.txt lets it be requested. */
  mayRequest(url: number): boolean {
    return this.#robots.verdictOn(this.#urls.urlOf(url)).allowed
  }

  /** Where crawls begin. */
  seeds(): number[] {
    return [...new Set(this.#web.seeds().map((url) => this.#urls.add(url)))]
  }

  /** The distinct URLs that a document links to, without itself; null if a request gives none. */
  linksOf(url: number): Uint32Array | null {
    const known = this.#links.get(url)
    if (known !== undefined) return known
    const links = this.#request(url)
    this.#links.set(url, links)
    return links
  }

  /**
   * A breadth-first crawl from the seeds until so many documents are held, in the order of their fetches.
   *
   * @paper FetterlyCraswellVinay2009 §3.4
   */
  breadthFirst(documents: number): Uint32Array {
    const held = new GrowingColumn(Uint32Array)
    const queue = this.seeds()
    const isQueued = new Set(queue)
    for (let at = 0; at < queue.length && held.length < documents; at++) {
      const links = this.linksOf(queue[at])
      if (links === null) continue
      held.push(queue[at])
      for (const target of links) {
        if (isQueued.has(target)) continue
        isQueued.add(target)
        queue.push(target)
      }
    }
    return held.view()
  }

  /**
   * The graph that a corpus shows: its own pages with their links, and what they link to. Links of pages
   * it does not hold are unknown to it, even if the sandbox has seen them.
   *
   * @paper FetterlyCraswellVinay2009 §3.4
   */
  graphOf(corpus: Uint32Array, seed: number): SandboxGraph {
    const numberOf = new Map<number, number>()
    const urls = new GrowingColumn(Uint32Array)
    const local = (url: number): number => {
      const known = numberOf.get(url)
      if (known !== undefined) return known
      numberOf.set(url, urls.length)
      urls.push(url)
      return urls.length - 1
    }
    for (const url of corpus) local(url)
    const offsets = new GrowingColumn(Uint32Array)
    const targets = new GrowingColumn(Uint32Array)
    offsets.push(0)
    for (const url of corpus) {
      for (const target of this.linksOf(url) ?? []) targets.push(local(target))
      offsets.push(targets.length)
    }
    while (offsets.length <= urls.length) offsets.push(targets.length)
    const links = { offsets: offsets.view(), targets: targets.view() }
    const seeds = this.seeds().flatMap((url) => numberOf.get(url) ?? [])
    const visits = Uint32Array.from(corpus.keys())
    const known = { links, depths: depthsFrom(seeds, links, urls.length), visits }
    return { urls: urls.view(), facts: this.factsOf(urls.view(), known, seed) }
  }

  /** What selections go by, of some URLs that get numbers of their own: their places. */
  factsOf(
    urls: Uint32Array,
    known: Pick<SelectionFacts, 'links' | 'depths' | 'visits'>,
    seed: number,
  ): SelectionFacts {
    const [hosts, domains] = [this.#urls.hosts(), this.#urls.domains()]
    return {
      ...known,
      candidates: Uint32Array.from(urls.keys()),
      hosts: urls.map((url) => hosts[url]),
      domains: urls.map((url) => domains[url]),
      addresses: { of: (number) => this.#urls.urlOf(urls[number]) },
      now: this.#web.archive.timeOf(this.#web.snapshot),
      seed,
    }
  }

  #request(url: number): Uint32Array | null {
    if (!this.mayRequest(url)) return null
    const { archive } = this.#web
    const place = this.#web.find(this.#urls.urlOf(url))
    const targets = new Set<number>()
    if (place.kind === 'page')
      archive.forEachLink(place.version, (link) => {
        const target = this.#targetOf(link)
        if (target !== undefined) targets.add(target)
      })
    else if (place.kind === 'redirect') targets.add(this.#urls.add(place.target))
    else return null
    targets.delete(url)
    return Uint32Array.from(targets)
  }

  #targetOf(link: number): number | undefined {
    if (this.#numberOfLink[link] === 0) {
      const url = this.#web.linkUrl(link)
      if (url === undefined) return undefined
      this.#numberOfLink[link] = this.#urls.add(url) + 1
    }
    return this.#numberOfLink[link] - 1
  }
}

/** Links from the nearest of the first URLs; the most there can be for what they do not lead to. */
function depthsFrom(
  first: readonly number[],
  { offsets, targets }: SelectionFacts['links'],
  urls: number,
): Uint16Array {
  const depths = new Uint16Array(urls).fill(MAX_DEPTH)
  const queue = [...first]
  for (const url of first) depths[url] = 0
  for (let at = 0; at < queue.length; at++) {
    const url = queue[at]
    for (let edge = offsets[url]; edge < offsets[url + 1]; edge++) {
      const target = targets[edge]
      if (depths[target] < MAX_DEPTH) continue
      depths[target] = Math.min(depths[url] + 1, MAX_DEPTH - 1)
      queue.push(target)
    }
  }
  return depths
}
