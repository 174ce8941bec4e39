import { archiveFetcher } from '#archive/archive-fetcher.ts'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb, type RecordedWebOptions } from '#archive/recorded-web.ts'
import { type CrawlLimits, crawl } from '#crawl/crawl.ts'
import { MemoryStore } from '#crawl/memory-store.ts'
import { type CrawlState, crawlState } from '#crawl/plan-cycle.ts'
import type { Fetcher } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import { apply } from '#learn/apply.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { crawlPolicy, type PolicyOptions } from '#library/open/crawl-policy.ts'
import type { Planner } from '#policy/planning/plan.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { Query } from '#workload/workload.ts'

/** A recorded web, and what its crawler is told. */
export interface World {
  readonly archive: Archive
  /** The snapshot to begin with. */
  readonly week: number
  /** The query log that the crawl may read. */
  readonly log: readonly Query[]
  readonly seed: number
  /** Whom policies may name; ours if left out. */
  readonly registry?: Registry
  readonly sitemaps?: RecordedWebOptions['sitemaps']
  /** False for a crawl that never asks for sitemaps. */
  readonly seeksSitemaps?: boolean
  /** Where the crawl may go; anywhere if left out. */
  readonly scope?: ScopeTest
  /** Who fetches from the recorded web, given a way to do so; the crawl itself if left out. */
  readonly fetchedBy?: (open: () => Fetcher) => Fetcher
}

/**
 * The real crawl of a recorded web: same planner, same board, same learning, with a store in memory and a clock that
 * stands still until it is told to go on. It knows nothing of who judges it.
 */
export class WorldCrawl {
  readonly state: CrawlState
  readonly #world: World
  readonly #store = new MemoryStore()
  readonly #fetcher: Fetcher
  #web: RecordedWeb
  #policy: { readonly by: string | Planner; readonly planner: Planner } | undefined
  #price: number | undefined

  constructor(world: World) {
    this.#world = world
    this.#web = new RecordedWeb(world.archive, world.week, { sitemaps: world.sitemaps })
    const { seeksSitemaps: sitemaps, scope } = world
    const open = () => archiveFetcher(() => this.#web, { now: () => this.now }, { sitemaps })
    this.#fetcher = world.fetchedBy ? world.fetchedBy(open) : open()
    this.#store.asked = world.log.map((query) => ({ ...query, source: 'lab', synthetic: false }))
    this.state = crawlState(new Frontier(), { index: new TextIndex(defaultAnalyser) })
    const seeds = this.#web.seeds()
    apply({ kind: 'rules', scope: { scope: 'anywhere' }, seeds }, this.state)
    if (scope) this.state.scope = scope
    this.#beginRun()
  }

  /** Seconds since 1970: the snapshot's. */
  get now(): number {
    return this.#web.archive.timeOf(this.#web.snapshot)
  }

  /** What the pages held say. */
  get index(): TextIndex {
    return this.state.indexer!.index
  }

  /** URLs that may be fetched for the first time now, ascending: in the order they were found. */
  candidates(): Uint32Array {
    return this.state.frontier.unfetched(this.now)
  }

  /** The web as it is now. */
  get web(): RecordedWeb {
    return this.#web
  }

  /** What the last fetch that the latest plan could afford was worth, where the policy has a price. */
  get price(): number | undefined {
    return this.#price
  }

  /** The web goes on to another snapshot. */
  goTo(week: number): void {
    this.#web = this.#web.at(week)
  }

  /** The policy of that name, made ready for this crawl, by bidders of another registry perhaps. */
  planner(
    name: string,
    registry = this.#world.registry,
    options: PolicyOptions = {},
  ): Promise<Planner> {
    const opened = { state: this.state, store: this.#store }
    return crawlPolicy(name, opened, this.now, { ...options, registry })
  }

  /**
   * Makes so many more fetches by a policy, if there is so much to fetch; a new policy begins a run of its own. `once`: what
   * a single plan comes to, however few URLs are known yet.
   */
  async spend(
    by: string | Planner,
    budget: number,
    { once = false, ...limits }: Pick<CrawlLimits, 'batch'> & { readonly once?: boolean } = {},
  ): Promise<LoggedFetch[]> {
    if (this.#policy?.by !== by) this.#policy = { by, planner: await this.#begin(by) }
    const fetches: LoggedFetch[] = []
    const enough = new AbortController()
    await crawl(
      this.state,
      { policy: this.#policy.planner, seed: this.#world.seed },
      { fetcher: this.#fetcher, repository: this.#store, clock: { now: () => this.now } },
      { ...limits, ...(once && { batch: budget }), budget: this.state.spent + budget },
      enough.signal,
      {
        cycle: (record) => {
          fetches.push(...record.fetches)
          this.#price = record.price ?? this.#price
          if (once) enough.abort()
        },
      },
    )
    return fetches
  }

  /**
   * Fetches just these, in this order, and learns from them as one cycle does, whatever a policy would fetch. `depthOf`
   * tells the links from the nearest seed of a URL that nobody told of.
   */
  async visit(urls: Iterable<string>, depthOf = (_url: string) => 0): Promise<LoggedFetch[]> {
    const { frontier, cycle } = this.state
    const know = (url: string) =>
      frontier.urls.find(url) ?? frontier.add(url, 'link', depthOf(url), this.now)
    const requests = Array.from(urls, (url) => ({ id: know(url), url, priority: 0 }))
    this.#fetcher.post({ requests, sends: requests.length })
    for (let outcome = await this.#fetcher.next(); outcome; outcome = await this.#fetcher.next())
      apply({ kind: 'fetch', purpose: 'acquire', predictedGain: 0, outcome }, this.state)
    return [...apply({ kind: 'end', cycle: cycle + 1, at: this.now }, this.state).fetches]
  }

  /** Whether the crawl has ever heard of a canonical URL. */
  knows(url: string): boolean {
    return this.state.frontier.urls.find(url) !== undefined
  }

  async #begin(by: string | Planner): Promise<Planner> {
    if (this.#policy) this.#beginRun()
    this.#price = undefined
    return typeof by === 'string' ? this.planner(by) : by
  }

  #beginRun(): void {
    apply({ kind: 'run', at: this.now, queries: this.#store.asked }, this.state)
  }
}
