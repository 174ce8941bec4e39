import { openCrawl } from '#library/crawl.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import type { Query } from '#workload/workload.ts'

interface ServedCrawl {
  /** A new folder for the crawl. */
  readonly dir: string
  readonly policy: string
  readonly budget: number
  /** Where all hosts are served on this machine. */
  readonly port: number
  readonly seeds: readonly string[]
  /** The query log that the crawl may read. */
  readonly log: readonly Query[]
  readonly onFetch: (spent: number) => void
}

/** Crawls a web that is served on this machine, as a user would: over HTTP and with a query log. */
export async function crawlServed({ dir, policy, budget, port, seeds, log, onFetch }: ServedCrawl) {
  await importQueryList(dir, log)
  const resolve = [`*=127.0.0.1:${port}`]
  await using crawl = await openCrawl({ dir, policy, seeds, resolve, delay: 0, warc: false })
  /** URLs that gave a page. */
  const held = new Set<string>()
  const { fetchedNow, seconds } = await crawl.run({
    budget,
    on: {
      outcome: (outcome) => {
        if (outcome.kind === 'page') held.add(outcome.url)
        onFetch(crawl.opened.state.spent)
      },
    },
  })
  return { held, fetches: fetchedNow, seconds }
}
