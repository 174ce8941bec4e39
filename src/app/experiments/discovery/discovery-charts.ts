import type { GreedyRound } from '#lab/experiments/discovery/discovery-covers.ts'
import type { DiscoveryPool, poolGaps } from '#lab/experiments/discovery/discovery-pool.ts'
import { barChart } from '#lab/report/bar-chart.ts'
import { lineChart, type Series } from '#lab/report/line-chart.ts'
import type { ArchiveDiscovery } from './discovery.ts'

/** What Figures 8 and 9 compare. */
const COMPARED = ['greedy', 'od-1', 'od-win', 'cliq-1-e0.8', 'cliq-win-e0.8', 'cov', 'yield']

/** What can be told of revisits. */
const HEIGHTS = {
  coverage: 'share of the new pages found',
  atOnce: 'share found at the snapshot of their birth',
  waiting: 'snapshots from birth to discovery',
}

/** The figures of the paper in its order, and those of revisiting without full recrawls. */
export function discoveryCharts(
  found: readonly ArchiveDiscovery[],
  pool: DiscoveryPool,
  gaps: ReturnType<typeof poolGaps>,
): string[] {
  return [
    trajectories(found),
    lineChart([series('coverage', pool.limits, 'limit', 'coverage')], {
      title: 'New pages covered when covers are cut off (Figure 3b)',
      xLabel: 'pages of a cover at most (logarithmic)',
      yLabel: 'coverage',
      logX: true,
    }),
    lineChart([series('overhead', pool.limits, 'limit', 'overhead')], {
      title: 'Overhead when covers are cut off (Figure 3a)',
      xLabel: 'pages of a cover at most (logarithmic)',
      yLabel: 'fetches for each new page',
      logX: true,
    }),
    barChart(
      pool.sizes90.map(({ size, rounds }) => ({ name: size, parts: [rounds] })),
      {
        title: 'Sizes of 90 % covers (Figure 4)',
        yLabel: 'sites and snapshots',
        partNames: ['pages of the cover'],
      },
    ),
    barChart(
      pool.overlap.map(({ from, meanShare }) => ({
        name: from.toFixed(2),
        parts: [meanShare ?? 0],
      })),
      {
        title: 'How much pairs of old pages overlap in what they lead to (Figure 5)',
        yLabel: 'share of the pairs, mean over sites and snapshots',
        partNames: ['Jaccard from'],
      },
    ),
    lineChart(
      [
        series('of each site', pool.greedy, 'share', 'overhead'),
        series('of all sites together', pool.interleaved, 'share', 'overhead'),
      ],
      {
        title: 'Overhead of greedy covers (Figure 6)',
        xLabel: 'share of the new pages covered',
        yLabel: 'fetches for each new page',
      },
    ),
    lineChart(
      [
        series('90 %, by new pages', pool.bySize, 'meanNewPages', 'overhead90'),
        series('100 %, by new pages', pool.bySize, 'meanNewPages', 'overhead100'),
        series('90 %, longer gaps', gaps, 'meanNewPages', 'overhead90'),
        series('100 %, longer gaps', gaps, 'meanNewPages', 'overhead100'),
      ],
      {
        title: 'The more there is to find, the cheaper',
        xLabel: 'new pages of a site between two looks, mean (logarithmic)',
        yLabel: 'fetches for each new page',
        logX: true,
      },
    ),
    ...newSiteChart(found),
    byCoverSize(pool, 1, 'Figure 8: recrawl at every snapshot'),
    byCoverSize(pool, 4, 'Figure 9: recrawl at every fourth snapshot'),
    revisitChart(pool, 'weekly', 'coverage', 'New pages found on a budget alone'),
    revisitChart(pool, 'weekly', 'waiting', 'How long new pages wait, on a budget alone'),
    revisitChart(
      pool,
      'recrawls',
      'atOnce',
      'New pages found at once, with as many fetches as od-win',
    ),
    revisitChart(pool, 'recrawls', 'waiting', 'How long they wait, with as many fetches as od-win'),
  ]
}

/** The busiest snapshot of each archive: a line for every site and time would be a thicket. */
function trajectories(found: readonly ArchiveDiscovery[]): string {
  const busiest = found.flatMap(({ archive, found: { all } }) => {
    const round = all.greedy.reduce<GreedyRound | undefined>(
      (most, one) => (most === undefined || one.newPages > most.newPages ? one : most),
      undefined,
    )
    if (round === undefined) return []
    let covered = 0
    const points = round.gains.map((gain, i) => {
      covered += gain
      return [i + 1, covered] as const
    })
    return [{ name: archive, points }]
  })
  return lineChart(busiest, {
    title: 'Cover size and new pages covered, at the busiest snapshot (Figure 2)',
    xLabel: 'pages of the cover (logarithmic)',
    yLabel: 'new pages covered',
    logX: true,
  })
}

function newSiteChart(found: readonly ArchiveDiscovery[]): string[] {
  const all = found.flatMap(({ archive, found: { newSites } }) => {
    const gains = newSites.flatMap((step) => step.gains).sort((a, b) => b - a)
    let covered = 0
    const points = gains.map((gain, i) => {
      covered += gain
      return [i + 1, covered] as const
    })
    return points.length === 0 ? [] : [{ name: archive, points }]
  })
  if (all.length === 0) return []
  return [
    lineChart(all, {
      title: 'New sites found by the best pages, all snapshots (Figure 7)',
      xLabel: 'pages fetched',
      yLabel: 'new sites found',
    }),
  ]
}

function byCoverSize({ rows, bounds }: DiscoveryPool, period: number, title: string): string {
  const bound = bounds.find((one) => one.period === period)?.coverage
  const lines = COMPARED.map((name) =>
    series(
      name,
      rows.filter((row) => row.algorithm === name && (row.period === 0 || row.period === period)),
      'coverSize',
      'coverage',
    ),
  )
  return lineChart(
    lines.filter(({ points }) => points.length > 0),
    {
      title,
      xLabel: 'pages fetched for a site and snapshot, mean (logarithmic)',
      yLabel: 'coverage',
      logX: true,
      ...(bound ? { ceiling: { name: 'all pages that ever led to a new one', y: bound } } : {}),
    },
  )
}

function revisitChart(
  { revisits }: DiscoveryPool,
  spending: string,
  height: keyof typeof HEIGHTS,
  title: string,
): string {
  const own = revisits.filter((row) => row.spending === spending)
  const names = [...new Set(own.map(({ policy }) => policy))]
  return lineChart(
    names.map((name) =>
      series(
        name,
        own.filter(({ policy }) => policy === name),
        'fetched',
        height,
      ),
    ),
    {
      title,
      xLabel: 'fetches of old pages in all (logarithmic)',
      yLabel: HEIGHTS[height],
      logX: true,
    },
  )
}

/** Two fields of rows as points, from left to right, leaving out those with nothing to show. */
function series<Row extends object>(
  name: string,
  rows: readonly Row[],
  x: keyof Row,
  y: keyof Row,
): Series {
  const points = rows.flatMap((row) => {
    const [px, py] = [row[x], row[y]]
    return typeof px === 'number' && typeof py === 'number' && px > 0 ? [[px, py] as const] : []
  })
  return { name, points: points.sort(([a], [b]) => a - b) }
}
