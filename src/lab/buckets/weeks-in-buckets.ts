import { archiveFetcher } from '#archive/archive-fetcher.ts'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb, type RecordedWebOptions } from '#archive/recorded-web.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { runEpochs } from '#library/buckets/run-epochs.ts'
import { inThisProcess } from '#library/buckets/run-steps.ts'
import { DEFAULTS } from '#library/settings/settings.ts'
import type { Bidder } from '#policy/bidder.ts'
import { noBids } from '#policy/bids.ts'
import { yieldBidder } from '#policy/discover/yield.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
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

/** What one process may be told to do without, to see what it brings: further plans are those within an epoch. */
export const SPARED = ['links', 'corrections', 'random fetches', 'further plans'] as const
export type Spared = (typeof SPARED)[number]

/** The same by one process, which knows all. It plans within an epoch as often as any crawl does. */
export async function crawlInOneProcess(
  { archive, log, policy, seed, sitemaps, batch, epochs, weekOf, ...on }: EpochsOfWeeks,
  without: readonly Spared[] = [],
): Promise<void> {
  const crawl = new WorldCrawl({ archive, week: weekOf(1), log, seed, sitemaps })
  const planner = await crawl.planner(
    policy,
    REGISTRY.with(without.includes('links') ? [MUTE] : []),
    {
      isUncorrected: without.includes('corrections'),
      ...(without.includes('random fetches') && { randomShare: 0 }),
    },
  )
  const once = without.includes('further plans')
  for (let epoch = 1; epoch <= epochs; epoch++) {
    crawl.goTo(weekOf(epoch))
    for (const { outcome } of await crawl.spend(planner, batch, { once })) on.onOutcome?.(outcome)
    on.onEpoch?.(epoch)
  }
}

/** Bids for no links. */
const MUTE: Bidder = { ...yieldBidder, needs: [], bids: () => noBids('discover') }
