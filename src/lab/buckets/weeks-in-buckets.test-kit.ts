import { archiveFetcher } from '#archive/archive-fetcher.ts'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb, type RecordedWebOptions } from '#archive/recorded-web.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { runEpochs } from '#library/buckets/run-epochs.ts'
import { inThisProcess } from '#library/buckets/run-steps.ts'
import { DEFAULTS } from '#library/settings/settings.ts'
import type { Query } from '#workload/workload.ts'

/** How a web that goes on week by week is crawled by epochs. */
interface WeeksInBuckets {
  readonly archive: Archive
  readonly log: readonly Query[]
  readonly policy: string
  readonly buckets: number
  readonly seed: number
  readonly dir: string
  readonly sitemaps?: RecordedWebOptions['sitemaps']
  /** Fetches of an epoch; epochs of the first week, and of each that follows. */
  readonly batch: number
  readonly firstEpochs: number
  readonly weekEpochs: number
  readonly weeks?: number
  /** Hears of each fetch, and of the week it is in. */
  readonly on?: (outcome: FetchOutcome, week: number) => void
}

/** Steps of small buckets mostly wait for their files. */
const STEPS_AT_ONCE = 4

/** Crawls a recorded web by the steps of `forager epochs`, while it grows and changes. */
export async function crawlWeeksInBuckets(setup: WeeksInBuckets): Promise<void> {
  const { archive, log, policy, buckets, seed, dir, sitemaps, on } = setup
  const { batch, firstEpochs, weekEpochs, weeks = archive.snapshotCount } = setup
  const epochs = firstEpochs + (weeks - 1) * weekEpochs
  const weekOf = (epoch: number) =>
    Math.min(weeks - 1, Math.max(0, Math.ceil((epoch - firstEpochs) / weekEpochs)))
  let web = new RecordedWeb(archive, 0, { sitemaps })
  const seeds = web.seeds()
  let fetched = 0 // epochs
  const timeOf = (epoch: number) => archive.timeOf(weekOf(epoch))
  await runEpochs(
    {
      settings: { ...DEFAULTS, dir, policy, seed, batch, budget: batch * epochs },
      web: {
        kind: 'recorded',
        // What is planned next is fetched in the week that comes.
        clock: { now: () => timeOf(fetched + 1) },
        seeds,
        fetcher: () => {
          fetched++
          web = web.at(weekOf(fetched))
          const at = timeOf(fetched)
          return archiveFetcher(web, { now: () => at })
        },
      },
      buckets,
      epochs,
      ...(log.length > 0 && { queries: async () => log }),
      on: { onOutcome: (outcome) => on?.(outcome, weekOf(fetched)) },
    },
    inThisProcess(STEPS_AT_ONCE),
  )
}
