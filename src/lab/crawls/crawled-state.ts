import { archiveFetcher } from '#archive/archive-fetcher.ts'
import type { RecordedWeb } from '#archive/recorded-web.ts'
import { PageIndexer } from '#crawl/index-pages.ts'
import { type Learnt, learnFrom } from '#crawl/learn.ts'
import { learnFound } from '#crawl/learn-links.ts'
import { releaseDuplicates } from '#crawl/originals.ts'
import type { Fetcher } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import { type ScopeTest, scopeTest } from '#frontier/scope.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'

interface CrawledStateOptions {
  /** Links from the nearest seed of a URL that is fetched though no page told of it; 0 if left out. */
  readonly depthOf?: (url: string) => number
}

/**
 * What a crawl knows after fetching given pages of a recorded web: the frontier and the index, made by
 * the code of a live crawl. Sitemaps are not read, so that URLs and anchors are known from pages only.
 */
export class CrawledState {
  readonly web: RecordedWeb
  readonly frontier = new Frontier()
  readonly index = new TextIndex(defaultAnalyser)
  /** Seconds since 1970: the snapshot's. */
  readonly now: number
  readonly #indexer = new PageIndexer(this.index)
  readonly #fetcher: Fetcher
  readonly #scope: ScopeTest
  readonly #depthOf: (url: string) => number

  constructor(web: RecordedWeb, { depthOf = () => 0 }: CrawledStateOptions = {}) {
    this.web = web
    this.now = web.archive.timeOf(web.snapshot)
    this.#fetcher = archiveFetcher(web, { now: () => this.now }, { sitemaps: false })
    this.#scope = recordedScope(web)
    this.#depthOf = depthOf
    for (const seed of web.seeds()) this.frontier.add(seed, 'seed', 0, this.now)
  }

  /** Fetches in the order given and learns, as one cycle of a crawl does. */
  async crawl(urls: Iterable<string>): Promise<readonly Learnt[]> {
    const requests = Array.from(urls, (url) => ({ id: this.#know(url), url, priority: 0 }))
    const learnt: Learnt[] = []
    const outcomes: FetchOutcome[] = []
    for await (const outcome of this.#fetcher.fetchAll(requests, new AbortController().signal)) {
      outcomes.push(outcome)
      learnt.push(learnFrom(outcome, this.frontier, this.#scope))
    }
    learnFound(outcomes, this.frontier, this.#scope)
    releaseDuplicates(learnt, this.frontier)
    this.#indexer.take(learnt, this.frontier)
    return learnt
  }

  /** URLs that may be fetched now, ascending: in the order they were found. */
  candidates(): Uint32Array {
    return this.frontier.unfetched(this.now)
  }

  #know(url: string): number {
    const known = this.frontier.urls.find(url)
    return known ?? this.frontier.add(url, 'link', this.#depthOf(url), this.now)
  }
}

/** Fetches breadth-first from the seeds until so many pages are held, or no URL is left. */
export async function crawlBreadthFirst(state: CrawledState, pages: number): Promise<Learnt[]> {
  const learnt: Learnt[] = []
  let held = 0
  while (held < pages) {
    // Numbers are given in the order of discovery, so a wave in their order is a stretch of the queue.
    const wave = Array.from(state.candidates().subarray(0, pages - held), (url) =>
      state.frontier.urls.urlOf(url),
    )
    if (wave.length === 0) break
    for (const one of await state.crawl(wave)) {
      learnt.push(one)
      if (one.outcome.kind === 'page') held++
    }
  }
  return learnt
}

/** The hosts the archive has pages of; elsewhere there is nothing to find. */
function recordedScope(web: RecordedWeb): ScopeTest {
  const isTrap = scopeTest({ scope: 'anywhere' }, web.seeds())
  return (url, depth) =>
    web.hasHost(hostOf(url)) ? isTrap(url, depth) : 'outside the recorded hosts'
}
