import { RecordedRobots } from '#archive/recorded-robots.ts'
import type { RecordedWeb } from '#archive/recorded-web.ts'
import { UrlTable } from '#frontier/urls/url-table.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { SelectionFacts } from '../selection/selection-facts.ts'

const MAX_DEPTH = 0xffff

interface CorpusGraphOptions {
  /** At most so many requests; as many as there are URLs if left out. */
  readonly base?: number
  /** For policies that sample. */
  readonly seed: number
}

/** What a base crawl came to know: every URL is a candidate, numbered in the order of discovery. */
export interface CorpusGraph {
  readonly facts: SelectionFacts
  urlOf(url: number): string
  numberOf(url: string): number | undefined
}

/**
 * The graph a breadth-first crawl from the archive's seeds gets to know at one snapshot. Every
 * request counts as a visit, whatever came of it, as a crawler cannot tell in advance.
 *
 * @paper FetterlyCraswellVinay2009 §3 — a redirect is a page with exactly one link.
 */
export function corpusGraph(web: RecordedWeb, options: CorpusGraphOptions): CorpusGraph {
  const limit = options.base ?? Number.POSITIVE_INFINITY
  const robots = new RecordedRobots(web)
  const urls = new UrlTable()
  const depths = new GrowingColumn(Uint16Array)
  const visits = new GrowingColumn(Uint32Array)
  // Numbers are given in the order of discovery, which is the order of the queue, so the next URL to
  // request is the next number, and rows of links come out in order.
  const offsets = new GrowingColumn(Uint32Array)
  const targets = new GrowingColumn(Uint32Array)
  const lastRow = new GrowingColumn(Uint32Array) // row + 1 that last linked to this URL
  // Pages share most links, so a link's text is looked up once: number + 1 of its URL, 0 if unread.
  const numberOfLink = new Uint32Array(web.archive.linkCount)

  const discover = (url: string, depth: number): number => {
    const number = urls.add(url)
    if (number === depths.length) {
      depths.push(Math.min(depth, MAX_DEPTH))
      lastRow.push(0)
    }
    return number
  }
  const connect = (number: number, target: number): void => {
    if (target === number || lastRow.at(target) === number + 1) return
    lastRow.set(target, number + 1)
    targets.push(target)
  }
  const request = (number: number): void => {
    visits.push(number)
    const depth = depths.at(number) + 1
    const place = web.find(urls.urlOf(number))
    if (place.kind === 'redirect') connect(number, discover(place.target, depth))
    if (place.kind !== 'page') return
    web.archive.forEachLink(place.version, (link) => {
      if (numberOfLink[link] === 0) {
        const url = web.linkUrl(link)
        if (url === undefined) return
        numberOfLink[link] = discover(url, depth) + 1
      }
      connect(number, numberOfLink[link] - 1)
    })
  }

  for (const seed of web.seeds()) discover(seed, 0)
  offsets.push(0)
  for (let number = 0; number < urls.size; number++) {
    if (visits.length < limit && robots.verdictOn(urls.urlOf(number)).allowed) request(number)
    offsets.push(targets.length)
  }
  return {
    facts: {
      candidates: Uint32Array.from({ length: urls.size }, (_, number) => number),
      links: { offsets: offsets.view(), targets: targets.view() },
      depths: depths.view(),
      hosts: urls.hosts(),
      domains: urls.domains(),
      visits: visits.view(),
      addresses: { of: (number) => urls.urlOf(number) },
      now: web.archive.timeOf(web.snapshot),
      seed: options.seed,
    },
    urlOf: (number) => urls.urlOf(number),
    numberOf: (url) => urls.find(url),
  }
}
