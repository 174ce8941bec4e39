import { archiveOf } from '#archive/format/assemble-archive.ts'
import { splitQueries } from '#lab/judging/query-split.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { type CrawledWeek, crawlWeekly } from '#lab/weeks/weekly-crawl.ts'
import { WeeklyTruth } from '#lab/weeks/weekly-truth.ts'
import { seededRandom } from '#numeric/random.ts'
import type { Output } from '../terminal/output.ts'
import { Progress } from '../terminal/progress.ts'

/** What one policy made of the weeks. */
export interface DemoWeeks {
  readonly policy: string
  readonly weeks: readonly CrawledWeek[]
}

/** A smaller web than that of the first part, since it is crawled many times. */
const PAGES_SHARE = 0.16
const FEWEST_PAGES = 500
/** Long enough for most of what is known to be held at last: before that any crawler had best fetch new pages only. */
const WEEKS = 13
/** Fetches in the first week, by PageRank for all, and in each week after, as shares of the pages. */
const START_SHARE = 0.3
const BUDGET_SHARE = 0.05
/** Breadth-first with uniform refreshing, the customary split, the most eager one, and ours. */
const POLICIES = ['split:50/50/0:bfs,uniform,none', 'split:70/20/10', 'split:97/2/1', 'unified']

/** Crawls a web that grows and changes week by week, once by each policy. */
export async function demonstrateWeeks(
  { pages: size, seed }: { readonly pages: number; readonly seed: number },
  output: Output,
): Promise<DemoWeeks[]> {
  const pages = Math.max(FEWEST_PAGES, Math.round(size * PAGES_SHARE))
  const records = generateModelWeb({ seed, pages, weeks: WEEKS })
  const archive = archiveOf(records)
  const { queries } = records.workload!
  const { training: log, testWeights } = splitQueries(queries, 'log', seededRandom(seed))
  const truth = WeeklyTruth.of(archive, queries, testWeights)
  output.note(
    `4. Another web, of ${pages.toLocaleString('en')} pages, grows and changes over ${WEEKS - 1} weeks; each may fetch ${100 * BUDGET_SHARE} % of it a week:`,
  )
  const shares = { budgetShare: BUDGET_SHARE, startShare: START_SHARE }
  const setup = { archive, truth, log, seed, ...shares }
  const progress = new Progress('   weeks', 'crawls', POLICIES.length, !output.json)
  const found: DemoWeeks[] = []
  for (const policy of POLICIES) {
    const { weeks } = await crawlWeekly(policy, setup)
    found.push({ policy, weeks })
    progress.update(found.length, policy)
  }
  progress.clear()
  return found
}
