import type { View } from '#lab/report/view.ts'
import type { DiscoveryTables } from './discovery-tables.ts'

/** What Figures 8 and 9 compare. */
const COMPARED = ['greedy', 'od-1', 'od-win', 'cliq-1-e0.8', 'cliq-win-e0.8', 'cov', 'yield']

const OVERHEAD = 'fetches for each new page'
const leanness = ({ isLean }: { readonly isLean: boolean }) =>
  isLean ? 'new listing pages left out' : 'all new pages'

function byCoverSize(period: number, title: string): View<DiscoveryTables> {
  return {
    as: 'lines',
    of: 'rows',
    title,
    pick: (rows) =>
      COMPARED.flatMap((name) =>
        rows.filter((row) => row.algorithm === name && [0, period].includes(row.period)),
      ),
    by: 'algorithm',
    x: 'coverSize',
    y: 'coverage',
    xLabel: 'fetches for a site and snapshot, mean',
    logX: true,
    ceiling: (_, { bounds }) => {
      const y = bounds.find((one) => one.period === period)?.coverage
      return y ? { name: 'all pages that ever led to a new one', y } : undefined
    },
  }
}

function revisitChart(
  spending: 'weekly' | 'recrawls',
  y: 'coverage' | 'atOnce' | 'waiting',
  title: string,
  yLabel: string,
): View<DiscoveryTables> {
  return {
    as: 'lines',
    of: 'revisits',
    title,
    pick: (rows) => rows.filter((row) => row.spending === spending),
    x: 'fetched',
    y,
    xLabel: 'fetches of old pages in all',
    yLabel,
    logX: true,
  }
}

const WAITING = 'snapshots from birth to discovery'

/** The figures of the paper in its order, and those of revisiting without full recrawls. */
const figures: readonly View<DiscoveryTables>[] = [
  {
    as: 'lines',
    of: 'trajectories',
    title: 'Cover size and new pages covered, at the busiest snapshot (Figure 2)',
    by: 'archive',
    x: 'pages',
    y: 'found',
    xLabel: 'pages of the cover',
    yLabel: 'new pages covered',
    logX: true,
  },
  {
    as: 'lines',
    of: 'limits',
    title: 'Overhead when covers are cut off (Figure 3a)',
    x: 'limit',
    y: [['overhead', 'overhead']],
    xLabel: 'pages of a cover at most',
    yLabel: OVERHEAD,
    logX: true,
  },
  {
    as: 'lines',
    of: 'limits',
    title: 'New pages covered when covers are cut off (Figure 3b)',
    x: 'limit',
    y: [['coverage', 'coverage']],
    xLabel: 'pages of a cover at most',
    logX: true,
  },
  {
    as: 'bars',
    of: 'sizes90',
    title: 'Sizes of 90 % covers (Figure 4)',
    by: 'size',
    y: 'rounds',
    yLabel: 'sites and snapshots',
  },
  {
    as: 'bars',
    of: 'overlap',
    title: 'How much pairs of old pages overlap in what they lead to (Figure 5)',
    by: ({ from }) => from.toFixed(2),
    y: 'meanShare',
    yLabel: 'share of the pairs, mean over sites and snapshots',
  },
  {
    as: 'lines',
    of: 'covers',
    title: 'Overhead of greedy covers (Figure 6)',
    pick: (rows) => rows.filter(({ isLean }) => !isLean),
    x: 'share',
    y: [
      ['of each site', 'ofEach'],
      ['of all sites together', 'ofAll'],
    ],
    xLabel: 'share of the new pages covered',
    yLabel: OVERHEAD,
  },
  {
    as: 'lines',
    of: 'sizes',
    title: 'The more there is to find, the cheaper',
    x: 'newPages',
    y: [
      ['90 %', 'overhead90'],
      ['100 %', 'overhead100'],
    ],
    xLabel: 'new pages between two looks, mean',
    yLabel: OVERHEAD,
    logX: true,
  },
  {
    as: 'lines',
    of: 'newSiteGains',
    title: 'New sites found by the best pages, all snapshots (Figure 7)',
    by: 'archive',
    x: 'pages',
    y: 'found',
    xLabel: 'pages fetched',
    yLabel: 'new sites found',
  },
  byCoverSize(1, 'Figure 8: recrawl at every snapshot'),
  byCoverSize(4, 'Figure 9: recrawl at every fourth snapshot'),
  revisitChart(
    'weekly',
    'coverage',
    'New pages found on a budget alone',
    'share of the new pages found',
  ),
  revisitChart('weekly', 'waiting', 'How long new pages wait, on a budget alone', WAITING),
  revisitChart(
    'recrawls',
    'atOnce',
    'New pages found at once, with as many fetches as od-win',
    'share found at the snapshot of their birth',
  ),
  revisitChart(
    'recrawls',
    'waiting',
    'How long they wait, with as many fetches as od-win',
    WAITING,
  ),
]

type Site = DiscoveryTables['sites'][number]
const overSteps = (field: 'covered100' | 'cover90' | 'cover100' | 'history') => (site: Site) =>
  site.steps.reduce((sum, step) => sum + step[field], 0)
const sumOf = (gains: readonly number[]) => gains.reduce((sum, gain) => sum + gain, 0)

const tables: readonly View<DiscoveryTables>[] = [
  {
    as: 'table',
    of: 'sites',
    caption: 'Archives: greedy covers and what history could lead to, over all snapshots',
    columns: [
      'archive',
      'sites',
      ['new', 'born'],
      ['listings', 'bornListings'],
      ['led to', overSteps('covered100')],
      ['cover 90 %', overSteps('cover90')],
      ['cover 100 %', overSteps('cover100')],
      ['history', overSteps('history')],
    ],
  },
  {
    as: 'table',
    of: 'newSiteSteps',
    caption: 'new pages on new sites and on old ones',
    isDetail: true,
    each: 'archive',
    columns: [
      ['snapshot', 't'],
      ['new sites', 'newSites'],
      ['led to', ({ gains }) => sumOf(gains)],
      ['by pages', ({ gains }) => gains.length],
      ['new pages there', 'pagesOnNewSites'],
      ['on old sites', 'pagesOnOldSites'],
      [
        'share',
        ({ pagesOnNewSites, pagesOnOldSites }) =>
          pagesOnNewSites / (pagesOnNewSites + pagesOnOldSites),
      ],
    ],
  },
  {
    as: 'table',
    of: 'newSiteGaps',
    caption: 'New sites when snapshots are further apart, and the fewest pages that lead to them',
  },
  {
    as: 'table',
    of: 'covers',
    caption: 'greedy covers',
    each: leanness,
    columns: [
      'share',
      ['overhead, of each site', 'ofEach'],
      ['overhead, of all sites together', 'ofAll'],
    ],
  },
  {
    as: 'table',
    of: 'bySize',
    caption: 'Greedy covers by the number of new pages of a site and snapshot',
  },
  { as: 'table', of: 'gaps', caption: 'Greedy covers when snapshots are further apart' },
  { as: 'table', of: 'allBounds', caption: 'all pages that ever led to a new one', each: leanness },
  { as: 'table', of: 'allRows', caption: 'algorithms', isDetail: true, each: leanness },
  {
    as: 'table',
    of: 'allRevisits',
    caption:
      'revisits; weekly, the budget is all there is; recrawls, all have as many fetches as od-win with a full recrawl every four snapshots and this budget between them',
    isDetail: true,
    each: leanness,
  },
]

const allBudgets = ({ budget }: { readonly budget: number }) => (budget === 0 ? 'all' : budget)

/** How long new pages wait under one policy, as a multiple of another's. */
const ratios: readonly View<DiscoveryTables>[] = [
  {
    as: 'table',
    of: 'waiting',
    caption:
      'How long new pages wait, as a multiple of a rival (0.1 weeks added to both): geometric means over archives, with 95 % intervals',
    pick: (rows) => rows.filter(({ budget }) => budget === 0),
    columns: ['policy', 'against', 'ratio', 'worst', 'worstSite', 'found', 'foundAgainst'],
  },
  {
    as: 'table',
    of: 'waiting',
    caption: 'the same by revisits a week and site',
    isDetail: true,
    each: 'against',
    columns: [
      'policy',
      ['revisits', allBudgets],
      'ratio',
      'worst',
      'worstSite',
      'found',
      'foundAgainst',
    ],
  },
  {
    as: 'table',
    of: 'budgetSteps',
    caption: 'How long new pages wait with more revisits a week, as a multiple of fewer',
    isDetail: true,
  },
  {
    as: 'table',
    of: 'calibrated',
    caption: 'Links that share expected of revisits, and links found, on archives left out',
  },
  { as: 'table', of: 'weights', caption: 'Weights of signs that the other archives chose' },
]

export const discoveryViews: readonly View<DiscoveryTables>[] = [...ratios, ...figures, ...tables]
