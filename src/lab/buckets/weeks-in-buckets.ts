import { archiveFetcher } from '#archive/archive-fetcher.ts'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb, type RecordedWebOptions } from '#archive/recorded-web.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { runEpochs } from '#library/buckets/run-epochs.ts'
import { inThisProcess } from '#library/buckets/run-steps.ts'
import { DEFAULTS } from '#library/settings/settings.ts'
import type { Query } from '#workload/workload.ts'
import { WorldCrawl } from '../worlds/world-crawl.ts'

/** How a web is crawled by epochs that stands still, or goes on week by week. */
interface EpochsOfWeeks {
  readonly archive: Archive
  readonly log: readonly Query[]
  readonly policy: string
  readonly seed: number
  readonly sitemaps?: RecordedWebOptions['sitemaps']
  /** Fetches of an epoch. */
  readonly batch: number
  readonly epochs: number
  /** The snapshot that an epoch is fetched from; they count from 1. */
  readonly weekOf: (epoch: number) => number
  /** Hears of each fetch, and when an epoch is over. */
  readonly onOutcome?: (outcome: FetchOutcome) => void
  readonly onEpoch?: (epoch: number) => void
}

/** Steps of small buckets mostly wait for their files. */
const STEPS_AT_ONCE = 4

/** Crawls a recorded web by the steps of `forager epochs`. */
export async function crawlInBuckets(
  { archive, log, policy, seed, sitemaps, batch, epochs, weekOf, ...on }: EpochsOfWeeks,
  { buckets, dir }: { readonly buckets: number; readonly dir: string },
): Promise<void> {
  let web = new RecordedWeb(archive, weekOf(1), { sitemaps })
  const seeds = web.seeds()
  let fetched = 0 // epochs
  const timeOf = (epoch: number) => archive.timeOf(weekOf(Math.min(epochs, epoch)))
  await runEpochs(
    {
      settings: { ...DEFAULTS, dir, policy, seed, batch, budget: batch * epochs },
      web: {
        kind: 'recorded',
        // What is planned now is fetched in the week that comes.
        clock: { now: () => timeOf(fetched + 1) },
        seeds,
        fetcher: () => {
          fetched++
          web = web.at(weekOf(fetched))
          const at = timeOf(fetched)
          return archiveFetcher(web, { now: () => at })
        },
      },
      ...{ buckets, epochs, queries: async () => log },
      on: {
        onOutcome: on.onOutcome,
        phase: ({ epoch, phase }) => {
          if (phase === 'learn' && epoch > 1) on.onEpoch?.(epoch - 1)
        },
      },
    },
    inThisProcess(STEPS_AT_ONCE),
  )
}

/** The same by one process, which knows all and plans as often. */
export async function crawlInOneProcess(setup: EpochsOfWeeks): Promise<void> {
  const { archive, log, policy, seed, sitemaps, batch, epochs, weekOf, onOutcome, onEpoch } = setup
  const crawl = new WorldCrawl({ archive, week: weekOf(1), log, seed, sitemaps })
  for (let epoch = 1; epoch <= epochs; epoch++) {
    crawl.goTo(weekOf(epoch))
    for (const { outcome } of await crawl.spend(policy, batch)) onOutcome?.(outcome)
    onEpoch?.(epoch)
  }
}
