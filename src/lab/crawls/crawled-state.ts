import { archiveFetcher } from '#archive/archive-fetcher.ts'
import type { RecordedWeb } from '#archive/recorded-web.ts'
import type { Fetcher } from '#crawl/ports.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { type ScopeTest, scopeTest } from '#frontier/scope.ts'
import { apply } from '#learn/apply.ts'
import type { LearntFetch } from '#learn/entries/learnt-fetch.ts'
import { type Knowledge, knowledge } from '#learn/knowledge.ts'
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
  readonly index = new TextIndex(defaultAnalyser)
  /** Seconds since 1970: the snapshot's. */
  readonly now: number
  readonly #known: Knowledge
  readonly #fetcher: Fetcher
  readonly #depthOf: (url: string) => number

  constructor(web: RecordedWeb, { depthOf = () => 0 }: CrawledStateOptions = {}) {
    this.web = web
    this.now = web.archive.timeOf(web.snapshot)
    this.#fetcher = archiveFetcher(web, { now: () => this.now }, { sitemaps: false })
    const seeds = web.seeds()
    this.#known = knowledge({ scope: recordedScope(web), seeds, index: this.index })
    this.#depthOf = depthOf
    apply({ kind: 'run', at: this.now, queries: [] }, this.#known)
  }

  get frontier(): Frontier {
    return this.#known.frontier
  }

  /** Fetches in the order given and learns, as one cycle of a crawl does. */
  async crawl(urls: Iterable<string>): Promise<readonly LearntFetch[]> {
    const requests = Array.from(urls, (url) => ({ id: this.#know(url), url, priority: 0 }))
    this.#fetcher.post({ requests, sends: requests.length })
    for (let outcome = await this.#fetcher.next(); outcome; outcome = await this.#fetcher.next())
      apply({ kind: 'fetch', purpose: 'acquire', predictedGain: 0, outcome }, this.#known)
    const cycle = this.#known.cycle + 1
    return apply({ kind: 'end', cycle, at: this.now }, this.#known).fetches
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
export async function crawlBreadthFirst(
  state: CrawledState,
  pages: number,
): Promise<LearntFetch[]> {
  const learnt: LearntFetch[] = []
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
export function recordedScope(web: RecordedWeb): ScopeTest {
  const isTrap = scopeTest({ scope: 'anywhere' }, web.seeds())
  return (url, depth) =>
    web.hasHost(hostOf(url)) ? isTrap(url, depth) : 'outside the recorded hosts'
}
