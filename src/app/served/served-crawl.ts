import type { Clock, CycleRecord } from '#crawl/ports.ts'
import { openCrawl } from '#library/crawl.ts'
import { openLiveWeb } from '#library/open/web.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import { settingsFrom } from '#library/settings/crawl-options.ts'
import type { Registry } from '#policy/registry/registry.ts'
import type { Query } from '#workload/workload.ts'

interface ServedCrawlSetup {
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
interface ServedCrawl {
  /** Makes so many more fetches, if there is so much to fetch. */
  spend(budget: number): Promise<ServedRun>
  /** Whether the crawl has ever heard of a canonical URL. */
  knows(url: string): boolean
  close(): Promise<void>
}

/** What came of some fetches. */
interface ServedRun {
  /** URLs that gave a page. */
  readonly held: ReadonlySet<string>
  readonly fetches: number
  readonly seconds: number
}

/** Opens a crawl as a user would, over HTTP and with a query log. */
async function openServedCrawl(setup: ServedCrawlSetup): Promise<ServedCrawl> {
  const { dir, policy, port, seed = 1, seeds, clock } = setup
  if (setup.log && setup.log.length > 0) await importQueryList(dir, setup.log)
  const options = { dir, policy, seeds, seed, delay: 0, resolve: [`*=127.0.0.1:${port}`] }
  const web = openLiveWeb(settingsFrom(options).settings, { clock })
  const crawl = await openCrawl({ ...options, warc: false }, { web, registry: setup.registry })
  return {
    spend: async (budget) => {
      const held = new Set<string>()
      const { state } = crawl.opened
      const { fetchedNow, seconds } = await crawl.run({
        budget: state.spent + budget,
        on: {
          outcome: (outcome) => {
            if (outcome.kind === 'page') held.add(outcome.url)
            setup.onFetch?.(state.spent)
          },
          cycle: setup.onCycle,
        },
      })
      return { held, fetches: fetchedNow, seconds }
    },
    knows: (url) => crawl.knows(url),
    close: () => crawl.close(),
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
