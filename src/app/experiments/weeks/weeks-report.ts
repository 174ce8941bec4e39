import type { Interval } from '#lab/metrics/bootstrap.ts'
import { barChart } from '#lab/report/bar-chart.ts'
import { lineChart } from '#lab/report/line-chart.ts'
import type { ReportTable } from '#lab/report/report-page.ts'
import { PURPOSES } from '#policy/bids.ts'
import type { CrawledWeek } from '../../served/weekly-crawl.ts'
import type { Findings } from '../running/experiment.ts'
import {
  MEASURES,
  type Measure,
  meansOf,
  type PolicyMeans,
  rowsOf,
  runOf,
  type WeeksFound,
  type WeeksRun,
  weeklyMeans,
} from './weeks-summary.ts'

interface Asked {
  readonly seed: number
  readonly budget: number
  readonly start: number
  readonly queries: string
  readonly sitemaps: string
}

const INTRO = `All crawls of an archive begin with the same pages. Then each policy has the same number of fetches a week,
over HTTP, while the web it crawls grows and changes. Quality is what searchers get from the copies as they are held, fresh or
stale, against what they would get from all pages as they are (ranked by the copies, worth what the pages are now; rank r is
seen with r^-1.5), just before and just after the fetches of a week; searches were not in the log the crawl read. A page waits for
as many weeks as it is there after a week's fetches and its address is still unknown (or the page not held).`

/** All weeks of all crawls, and their means over archives. */
export function presentWeeks(found: readonly WeeksFound[], asked: Asked): Findings {
  const archives = [...new Set(found.map(({ archive }) => archive))]
  const policies = [...new Set(found.map(({ policy }) => policy))]
  const runs = found.map(runOf)
  const means = policies.map((policy) => meansOf(policy, policies.at(-1)!, runs, asked.seed))
  const of = ({ policy }: { policy: string }) => found.filter((one) => one.policy === policy)
  const curve = (title: string, yLabel: string, value: (week: CrawledWeek) => number) =>
    lineChart(
      means.map((one) => ({ name: one.policy, points: weeklyMeans(of(one), value) })),
      { title, xLabel: 'week', yLabel, wholeX: true },
    )
  return {
    result: {
      experiment: 'weeks',
      archive: archives.length > 1 ? archives : archives[0],
      ...asked,
      keys: ['archive', 'policy', 'week'],
      rows: found.flatMap(rowsOf),
      runs,
      means,
    },
    title: 'Weeks: crawls over HTTP of a web that grows and changes',
    intro: INTRO,
    charts: [
      curve(
        `Repository quality with ${asked.budget} % of the pages a week`,
        'quality',
        ({ quality }) => quality,
      ),
      curve('Pages born after the first week: found', 'share known', ({ births }) =>
        births.born === 0 ? 0 : births.known / births.born,
      ),
      curve('Copies that are out of date', 'share stale', ({ held, stale }) =>
        held === 0 ? 0 : stale / held,
      ),
      barChart(
        policies.map((policy) => ({ name: policy, parts: meanShares(policy, runs) })),
        { title: 'What fetches were for', yLabel: 'share', partNames: PURPOSES },
      ),
    ],
    tables: [meansTable(means, archives.length), leadsTable(means), runsTable(runs)],
    archives,
  }
}

function meanShares(policy: string, runs: readonly WeeksRun[]): number[] {
  const ours = runs.filter((run) => run.policy === policy)
  return PURPOSES.map(
    (purpose) => ours.reduce((sum, { shares }) => sum + shares[purpose], 0) / ours.length,
  )
}

const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  quality: 'quality',
  qualityBefore: 'just before fetches',
  maxNdcg: 'maxNDCG at the end',
  weeksUnknown: 'weeks until known',
  weeksUnheld: 'weeks until held',
}

function meansTable(means: readonly PolicyMeans[], archives: number): ReportTable {
  return {
    caption: `means over ${archives} archives and all weeks (95 % intervals)`,
    header: ['policy', ...MEASURES.map((measure) => MEASURE_NAMES[measure])],
    rows: means.map(({ policy, means }) => [
      policy,
      ...MEASURES.map((measure) => intervalText(means[measure])),
    ]),
  }
}

function leadsTable(means: readonly PolicyMeans[]): ReportTable {
  const last = means.at(-1)!.policy
  return {
    caption: `by how much ${last} has more (of weeks, less is better), on the same archives`,
    header: ['than', ...MEASURES.map((measure) => MEASURE_NAMES[measure])],
    rows: means
      .slice(0, -1)
      .map(({ policy, leads }) => [
        policy,
        ...MEASURES.map((measure) => intervalText(leads[measure])),
      ]),
  }
}

function intervalText(interval: Interval | undefined): string {
  if (!interval) return '–'
  const [estimate, low, high] = [interval.estimate, interval.low, interval.high].map((value) =>
    value.toFixed(3),
  )
  return `${estimate} (${low} to ${high})`
}

function runsTable(runs: readonly WeeksRun[]): ReportTable {
  const percent = (share: number | null) => (share === null ? '–' : `${(100 * share).toFixed(1)} %`)
  return {
    caption:
      'each crawl; first: fetches of URLs never fetched before, whatever for; at once: the most requests a host had at a time; disallowed: requests that robots.txt forbids; unasked: requests before robots.txt was read',
    header: [
      'archive',
      'policy',
      'quality',
      'weeks until known',
      'found',
      'fetches',
      ...PURPOSES,
      'first',
      'requests',
      'at once',
      'disallowed',
      'unasked',
      'seconds',
    ],
    rows: runs.map((run) => [
      run.archive,
      run.policy,
      run.quality ?? '–',
      run.weeksUnknown ?? '–',
      percent(run.knownShare),
      run.fetches,
      ...PURPOSES.map((purpose) => percent(run.shares[purpose])),
      percent(run.firstShare),
      run.requests,
      run.mostAtOnce,
      run.disallowed,
      run.unasked,
      run.seconds,
    ]),
  }
}
