import { archiveFetcher } from '#archive/archive-fetcher.ts'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import type { Sitemaps } from '#archive/sitemap-dates.ts'
import { runEpochs } from '#library/buckets/run-epochs.ts'
import { inThisProcess } from '#library/buckets/run-steps.ts'
import { DEFAULTS } from '#library/settings/settings.ts'
import { seededRandom } from '#numeric/random.ts'
import type { Query } from '#workload/workload.ts'
import { AnswerTruth } from '../judging/answer-truth.ts'
import { splitQueries } from '../judging/query-split.ts'

/** Steps of small buckets mostly wait for their files. */
const STEPS_AT_ONCE = 4

/** How one archive is crawled by epochs. */
interface BucketsSetup {
  readonly archive: Archive
  readonly queries: readonly Query[]
  readonly week: number
  /** Per cent of the pages that can be fetched. */
  readonly budget: number
  readonly epochs: number
  readonly policy: string
  readonly sitemaps: Sitemaps
}

/** What a crawl holds when an epoch is over. */
export interface EpochRow {
  readonly epoch: number
  readonly fetches: number
  readonly pages: number
  readonly quality: number
}

/** Crawls of one archive by the steps of `forager epochs`, in so many buckets, and what its searchers would get. */
export function bucketCrawls(setup: BucketsSetup) {
  const { archive, queries, week, budget, epochs, policy, sitemaps } = setup
  const web = new RecordedWeb(archive, week, { sitemaps })
  const truth = new AnswerTruth(web, queries)
  const batch = Math.max(1, Math.round(((budget / 100) * truth.pages.length) / epochs))
  const clock = { now: () => archive.timeOf(week) }
  return async (buckets: number, seed: number, dir: string): Promise<EpochRow[]> => {
    const { training, testWeights } = splitQueries(queries, 'log', seededRandom(seed))
    const isHeld = new Uint8Array(truth.pageCount)
    const rows: EpochRow[] = []
    let [fetches, pages] = [0, 0]
    await runEpochs(
      {
        settings: { ...DEFAULTS, dir, policy, seed, batch, budget: batch * epochs },
        web: {
          kind: 'recorded',
          clock,
          seeds: web.seeds(),
          fetcher: () => archiveFetcher(web, clock),
        },
        buckets,
        queries: async () => training,
        on: {
          onOutcome: ({ kind, url }) => {
            fetches++
            const page = kind === 'page' ? truth.pageAt(url) : undefined
            if (page === undefined) return
            pages++
            isHeld[page] = 1
          },
          phase: ({ epoch, phase }) => {
            if (phase !== 'learn' || epoch === 1) return
            const quality = truth.quality(testWeights, isHeld)!
            rows.push({ epoch: epoch - 1, fetches, pages, quality })
          },
        },
      },
      inThisProcess(STEPS_AT_ONCE),
    )
    return rows
  }
}
