import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crawl } from '#crawl/crawl.ts'
import type { Clock, CycleRecord } from '#crawl/ports.ts'
import { liveFetcher } from '#fetch/live-fetcher.ts'
import { crawlPolicy } from '#library/open/crawl-policy.ts'
import { openCrawl } from '#library/open/open-crawl.ts'
import { liveFetcherOptions } from '#library/open/web.ts'
import { DEFAULTS } from '#library/settings/settings.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { LOG_FORMATS } from '#workload/formats/formats.ts'
import type { Query } from '#workload/workload.ts'
import { writeQueries } from '../cli/words/query-tables.ts'

export interface ServedCrawlSetup {
  /** A folder for the crawl: a new one, or one whose crawl goes on. */
  readonly dir: string
  readonly policy: string
  /** Whom the policy may name; ours if left out. */
  readonly registry?: Registry
  /** Where all hosts are served on this machine. */
  readonly port: number
  readonly seeds: readonly string[]
  /** The query log that the crawl may read; none if left out. */
  readonly log?: readonly Query[]
  readonly seed?: number
  /** Where the web has a time of its own. */
  readonly clock?: Clock
  readonly onFetch?: (spent: number) => void
  readonly onCycle?: (record: CycleRecord) => void
}

/** A crawl of a web that is served on this machine; it may go on as often as one likes. */
export interface ServedCrawl {
  /** Makes so many more fetches, if there is so much to fetch. */
  spend(budget: number): Promise<ServedRun>
  /** Whether the crawl has ever heard of a canonical URL. */
  knows(url: string): boolean
  close(): Promise<void>
}

/** What came of some fetches. */
export interface ServedRun {
  /** URLs that gave a page. */
  readonly held: ReadonlySet<string>
  readonly fetches: number
  readonly seconds: number
}

/** Opens a crawl as a user would, over HTTP and with a query log. */
export async function openServedCrawl(setup: ServedCrawlSetup): Promise<ServedCrawl> {
  const { dir, policy, port, seed = 1 } = setup
  if (setup.log && setup.log.length > 0) await importLog(dir, setup.log)
  const options = liveFetcherOptions({ ...DEFAULTS, delay: 0, resolve: [`*=127.0.0.1:${port}`] })
  const clock = setup.clock ?? options.clock
  const now = clock.now()
  const opened = await openCrawl(dir, { seeds: setup.seeds, now })
  const { store, state } = opened
  const rules = {
    policy: await crawlPolicy(policy, opened, now, { registry: setup.registry }),
    seed,
  }
  const fetcher = liveFetcher({ ...options, clock })
  const ports = { fetcher, repository: store, clock }
  return {
    spend: async (budget) => {
      const startedAt = performance.now()
      const spentBefore = state.spent
      const held = new Set<string>()
      const limits = { budget: spentBefore + budget }
      await crawl(state, rules, ports, limits, new AbortController().signal, {
        outcome: (outcome) => {
          if (outcome.kind === 'page') held.add(outcome.url)
          setup.onFetch?.(state.spent)
        },
        cycle: setup.onCycle,
      })
      const seconds = (performance.now() - startedAt) / 1000
      return { held, fetches: state.spent - spentBefore, seconds }
    },
    knows: (url) => state.frontier.urls.find(url) !== undefined,
    close: async () => {
      await fetcher.close()
      store.close()
    },
  }
}

/** Crawls a served web with one budget. */
export async function crawlServed(
  setup: ServedCrawlSetup & { readonly budget: number },
): Promise<ServedRun> {
  const served = await openServedCrawl(setup)
  try {
    return await served.spend(setup.budget)
  } finally {
    await served.close()
  }
}

/** Puts queries into the directory as `forager queries import` does. */
export async function importLog(dir: string, log: readonly Query[]): Promise<void> {
  await writeQueries(dir, (queries) => {
    const file = join(dir, 'log.csv')
    const lines = log.map(({ text, weight }) => `"${text.replaceAll('"', '""')}",${weight}`)
    writeFileSync(file, `query,count\n${lines.join('\n')}\n`)
    const options = {
      format: 'csv',
      reader: LOG_FORMATS.csv.reader,
      param: 'q',
      minClients: 1,
      halfLifeSeconds: Number.POSITIVE_INFINITY,
      now: Date.now() / 1000,
    }
    return queries.import([file], options)
  })
}
