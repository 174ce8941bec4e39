import { archiveFetcher } from '#archive/archive-fetcher.ts'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb, type RecordedWebOptions } from '#archive/recorded-web.ts'
import { crawl } from '#crawl/crawl.ts'
import { MemoryStore } from '#crawl/memory-store.ts'
import { type CrawlState, crawlState } from '#crawl/plan-cycle.ts'
import type { Fetcher } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import { apply } from '#learn/apply.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { crawlPolicy } from '#library/open/crawl-policy.ts'
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
  #policy: { readonly name: string; readonly planner: Planner } | undefined

  constructor(world: World) {
    this.#world = world
    this.#web = this.#webAt(world.week)
    this.#fetcher = archiveFetcher(() => this.#web, { now: () => this.now })
    this.#store.asked = world.log.map((query) => ({ ...query, source: 'lab', synthetic: false }))
    this.state = crawlState(new Frontier(), { index: new TextIndex(defaultAnalyser) })
    const seeds = this.#web.seeds()
    apply({ kind: 'rules', scope: { scope: 'anywhere' }, seeds }, this.state)
  }

  /** Seconds since 1970: the snapshot's. */
  get now(): number {
    return this.#web.archive.timeOf(this.#web.snapshot)
  }

  /** The web goes on to another snapshot. */
  goTo(week: number): void {
    this.#web = this.#webAt(week)
  }

  /** Makes so many more fetches by a policy, if there is so much to fetch; a new policy begins a run of its own. */
  async spend(policy: string, budget: number): Promise<LoggedFetch[]> {
    if (this.#policy?.name !== policy) this.#policy = await this.#begin(policy)
    const fetches: LoggedFetch[] = []
    await crawl(
      this.state,
      { policy: this.#policy.planner, seed: this.#world.seed },
      { fetcher: this.#fetcher, repository: this.#store, clock: { now: () => this.now } },
      { budget: this.state.spent + budget },
      new AbortController().signal,
      { cycle: (record) => fetches.push(...record.fetches) },
    )
    return fetches
  }

  /** Whether the crawl has ever heard of a canonical URL. */
  knows(url: string): boolean {
    return this.state.frontier.urls.find(url) !== undefined
  }

  async #begin(name: string) {
    const { registry } = this.#world
    const opened = { state: this.state, store: this.#store }
    apply({ kind: 'run', at: this.now, queries: this.#store.asked }, this.state)
    return { name, planner: await crawlPolicy(name, opened, this.now, { registry }) }
  }

  #webAt(week: number): RecordedWeb {
    const { archive, sitemaps } = this.#world
    return new RecordedWeb(archive, week, { sitemaps })
  }
}
