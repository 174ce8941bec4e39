import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { seededRandom } from '#numeric/random.ts'
import type { Registry } from '#policy/registry/registry.ts'
import type { Workload } from '#workload/workload.ts'
import { AnswerTruth } from '../judging/answer-truth.ts'
import { corpusJudge } from '../judging/corpus-judge.ts'
import { type CrawlSplit, splitQueries } from '../judging/query-split.ts'
import { WorldCrawl } from '../worlds/world-crawl.ts'

interface LiveSetup {
  readonly archive: Archive
  readonly workload: Workload
  readonly week: number
  /** Per cent of the pages that can be fetched. */
  readonly budget: number
  readonly queries: CrawlSplit
  readonly registry: Registry
  readonly seed: number
}

/** Whole crawls of one archive, and what its searchers would get from the pages that a policy fetches. */
export function liveCrawls(setup: LiveSetup) {
  const { archive, workload, week, budget, queries, registry, seed } = setup
  const truth = new AnswerTruth(new RecordedWeb(archive, week), workload.queries)
  const { training: log, testWeights } = splitQueries(workload.queries, queries, seededRandom(seed))
  const judge = corpusJudge(workload, (url) => truth.pageAt(url), seed)
  const most = Math.round((budget / 100) * truth.pages.length)
  return async (policy: string) => {
    const crawl = new WorldCrawl({ archive, week, log, seed, registry })
    const isHeld = new Uint8Array(truth.pageCount)
    let pages = 0
    for (const { outcome } of await crawl.spend(policy, most)) {
      if (outcome.kind !== 'page') continue
      pages++
      const page = truth.pageAt(outcome.url)
      if (page !== undefined) isHeld[page] = 1
    }
    return {
      fetches: crawl.state.spent,
      pages,
      quality: truth.quality(testWeights, isHeld) ?? null,
      maxNdcg: judge.maxNdcgOf((page) => isHeld[page] === 1),
    }
  }
}
