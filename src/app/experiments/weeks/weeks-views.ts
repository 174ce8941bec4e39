import type { PolicyMeans } from '#lab/metrics/policy-means.ts'
import { archivesOf, overArchives } from '#lab/report/rows.ts'
import type { View } from '#lab/report/view.ts'
import type { Measure, WeekRow, WeeksRun } from '#lab/weeks/weeks-run.ts'
import { PURPOSES } from '#policy/bids.ts'

export type WeeksFound = PolicyMeans<Measure> & {
  readonly rows: readonly WeekRow[]
  readonly runs: readonly WeeksRun[]
}

export const WEEKS_INTRO = `All crawls of an archive begin with the same pages. Then each policy has the same number of fetches a week,
by the real crawl in virtual time, while the web grows and changes. Quality is what searchers get from the copies as they are held, fresh or
stale, against what they would get from all pages as they are (ranked by the copies, worth what the pages are now; rank r is
seen with r^-1.5), just before and just after the fetches of a week; searches were not in the log the crawl read. A page waits for
as many weeks as it is there after a week's fetches and its address is still unknown (or the page not held).`

const BY_WEEK = { as: 'lines', of: 'rows', x: 'week' } as const

export const weeksViews: readonly View<WeeksFound>[] = [
  {
    ...BY_WEEK,
    title: (rows: readonly WeekRow[]) => `Repository quality, ${overArchives(rows)}`,
    y: 'quality',
  },
  {
    ...BY_WEEK,
    title: 'Pages born after the first week: found',
    y: ({ born, bornKnown }: WeekRow) => (born === 0 ? 0 : bornKnown / born),
    yLabel: 'share known',
  },
  {
    ...BY_WEEK,
    title: 'Copies that are out of date',
    y: ({ held, stale }: WeekRow) => (held === 0 ? 0 : stale / held),
    yLabel: 'share stale',
  },
  {
    as: 'bars',
    of: 'runs',
    title: 'What fetches were for',
    yLabel: 'share',
    y: PURPOSES.map((purpose) => [purpose, ({ shares }) => shares[purpose]]),
  },
  {
    as: 'table',
    of: 'means',
    caption: (_, { runs }) => `means over ${archivesOf(runs)} and all weeks`,
  },
  {
    as: 'table',
    of: 'leads',
    caption: (_, { means }) =>
      `by how much ${means.at(-1)?.policy} has more (of weeks, less is better), on the same archives`,
  },
  {
    as: 'table',
    of: 'runs',
    caption: 'each crawl; first: fetches of URLs never fetched before, whatever for',
    isDetail: true,
  },
]
