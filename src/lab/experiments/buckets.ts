import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import type { Sitemaps } from '#archive/sitemap-dates.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { seededRandom } from '#numeric/random.ts'
import type { Query } from '#workload/workload.ts'
import { crawlInBuckets, crawlInOneProcess, type Spared } from '../buckets/weeks-in-buckets.ts'
import { AnswerTruth } from '../judging/answer-truth.ts'
import { splitQueries } from '../judging/query-split.ts'
import { HeldCopies } from '../weeks/held-copies.ts'
import { WeeklyTruth } from '../weeks/weekly-truth.ts'

/** How one archive is crawled by epochs. */
interface BucketsSetup {
  readonly archive: Archive
  readonly queries: readonly Query[]
  readonly week: number
  /** So many weeks pass meanwhile, from the first on; in 1 the web stands still. */
  readonly weeks: number
  /** Per cent of the pages that can be fetched. */
  readonly budget: number
  readonly epochs: number
  readonly policy: string
  readonly sitemaps: Sitemaps
  /** What one process does without. */
  readonly without: readonly Spared[]
}

/** What a crawl holds when an epoch is over. */
export interface EpochRow {
  readonly epoch: number
  readonly fetches: number
  readonly pages: number
  /** Of them: those that say something else by now, or are gone. */
  readonly stale: number
  readonly quality: number
}

/**
 * Crawls of one archive by the steps of `forager epochs`, in so many buckets, and what its searchers would get. In no buckets
 * one process crawls, as `forager crawl` does.
 */
export function bucketCrawls(setup: BucketsSetup) {
  const { archive, queries, week, budget, epochs, policy, sitemaps } = setup
  const weeks = Math.min(setup.weeks, archive.snapshotCount)
  const first = weeks > 1 ? 0 : week
  const weekOf = (epoch: number) => first + Math.max(0, epoch - 1 - (epochs - weeks))
  const web = new RecordedWeb(archive, first, { sitemaps })
  const { pages } = new AnswerTruth(web, queries)
  const batch = Math.max(1, Math.round(((budget / 100) * pages.length) / epochs))
  return async (buckets: number, seed: number, dir: string): Promise<EpochRow[]> => {
    const { training, testWeights } = splitQueries(queries, 'log', seededRandom(seed))
    const judge =
      weeks > 1 ? judgeOfWeeks(setup, testWeights) : judgeOfPages(web, queries, testWeights)
    const rows: EpochRow[] = []
    let fetches = 0
    const crawl = {
      ...{ archive, log: training, policy, seed, sitemaps, batch, epochs, weekOf },
      onOutcome: (outcome: FetchOutcome) => {
        judge.goTo(weekOf(rows.length + 1))
        fetches++
        judge.take(outcome)
      },
      onEpoch: (epoch: number) => {
        judge.goTo(weekOf(epoch))
        rows.push({ epoch, fetches, ...judge.now() })
      },
    }
    if (buckets === 0) await crawlInOneProcess(crawl, setup.without)
    else await crawlInBuckets(crawl, { buckets, dir })
    return rows
  }
}

/** Tells what searchers would get from what was fetched so far. */
interface Judge {
  goTo(week: number): void
  take(outcome: FetchOutcome): void
  now(): Pick<EpochRow, 'pages' | 'stale' | 'quality'>
}

/** On a web that stands still. */
function judgeOfPages(web: RecordedWeb, queries: readonly Query[], weights: Float64Array): Judge {
  const truth = new AnswerTruth(web, queries)
  const isHeld = new Uint8Array(truth.pageCount)
  let pages = 0
  return {
    goTo: () => {},
    take: ({ kind, url }) => {
      const page = kind === 'page' ? truth.pageAt(url) : undefined
      if (page === undefined) return
      pages++
      isHeld[page] = 1
    },
    now: () => ({ pages, stale: 0, quality: truth.quality(weights, isHeld)! }),
  }
}

/** On one that goes on: by the copies as they are held, and what the pages are by then. */
function judgeOfWeeks({ archive, queries }: BucketsSetup, weights: Float64Array): Judge {
  const copies = HeldCopies.none(WeeklyTruth.of(archive, queries, weights))
  return {
    goTo: (week) => {
      while (copies.week < week) copies.nextWeek()
    },
    take: ({ kind, url }) => {
      if (kind === 'page' || kind === 'unchanged' || kind === 'gone' || kind === 'redirect')
        copies.fetched(url)
    },
    now: () => {
      const { held: pages, stale } = copies.stale()
      return { pages, stale, quality: copies.quality() }
    },
  }
}
