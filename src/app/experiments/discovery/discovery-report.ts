import { revisitRows } from '#lab/experiments/discovery/discovery-compare.ts'
import {
  type DiscoveryPool,
  poolDiscovery,
  poolGaps,
} from '#lab/experiments/discovery/discovery-pool.ts'
import type { ReportTable } from '#lab/report/report-page.ts'
import type { Findings } from '../running/experiment.ts'
import type { ArchiveDiscovery } from './discovery.ts'
import { discoveryCharts } from './discovery-charts.ts'

const INTRO = `A page is new at a snapshot if no earlier one had it. An old page leads to a new page by a
link, or by way of other new pages, which have to be fetched anyway. Coverage is the share of the new pages
found, of those that any old page leads to; overhead is the fetches of old pages for each new page found.
greedy knows what is new beforehand: the bound of everything. od, cliq and cov choose by what full recrawls
showed, every so many snapshots (the period); their own cost is in "overhead with recrawls" only. yield,
uniform and indegree have no full recrawls: they live on their budget alone. All numbers are sums over
archives and snapshots, divided.`

/** Everything that all archives show, as JSON, figures and tables. */
export function presentDiscovery(found: readonly ArchiveDiscovery[], seed: number): Findings {
  const pool = poolDiscovery(found.map((one) => one.found.all))
  const lean = poolDiscovery(found.map((one) => one.found.withoutListings))
  const gaps = poolGaps(found.flatMap((one) => one.found.gaps))
  const ids = found.map(({ archive }) => archive)
  const newSites = found.flatMap(({ archive, found: { newSites: steps } }) =>
    steps.length === 0 ? [] : [{ archive, steps }],
  )
  return {
    result: {
      experiment: 'discovery',
      archive: ids.length > 1 ? ids : ids[0],
      seed,
      keys: ['algorithm', 'period', 'budget'],
      ...pool,
      gaps,
      withoutListings: lean,
      sites: found.map(({ archive, found: { sites, born, bornListings, steps, all } }) => ({
        archive,
        sites,
        born,
        bornListings,
        steps,
        revisits: revisitRows(all.revisits),
      })),
      newSites,
    },
    title: 'Discovery: where new pages appear',
    intro: INTRO,
    charts: discoveryCharts(found, pool, gaps),
    tables: [
      siteTable(found),
      ...newSites.map(newSitesTable),
      coverTable('Greedy covers', pool),
      coverTable('Greedy covers, new listing pages left out', lean),
      {
        caption: 'Greedy covers by the number of new pages of a site and snapshot',
        header: ['new pages', 'sites and snapshots', 'mean', 'overhead at 90 %', 'at 100 %'],
        rows: pool.bySize.map((row) => [
          row.newPages,
          row.rounds,
          row.meanNewPages ?? '–',
          row.overhead90 ?? '–',
          row.overhead100 ?? '–',
        ]),
      },
      {
        caption: 'Greedy covers when snapshots are further apart',
        header: ['snapshots apart', 'sites and times', 'mean new pages', 'at 90 %', 'at 100 %'],
        rows: gaps.map((row) => [
          row.gap,
          row.rounds,
          row.meanNewPages ?? '–',
          row.overhead90 ?? '–',
          row.overhead100 ?? '–',
        ]),
      },
      boundTable('All pages that ever led to a new one', pool, lean),
      algorithmTable('Algorithms', pool),
      algorithmTable('Algorithms, new listing pages left out', lean),
      revisitTable('Revisits', pool),
      revisitTable('Revisits, new listing pages left out', lean),
    ],
    archives: ids,
  }
}

function siteTable(found: readonly ArchiveDiscovery[]): ReportTable {
  return {
    caption: 'Archives: greedy covers and what history could lead to, over all snapshots',
    header: [
      'archive',
      'sites',
      'new',
      'listings',
      'led to',
      'cover 90 %',
      'cover 100 %',
      'history',
    ],
    rows: found.map(({ archive, found: { sites, born, bornListings, steps } }) => {
      const sum = (count: (step: (typeof steps)[number]) => number) =>
        steps.reduce((total, step) => total + count(step), 0)
      return [
        archive,
        sites,
        born,
        bornListings,
        sum((step) => step.covered100),
        sum((step) => step.cover90),
        sum((step) => step.cover100),
        sum((step) => step.history),
      ]
    }),
  }
}

function newSitesTable({
  archive,
  steps,
}: {
  archive: string
  steps: ArchiveDiscovery['found']['newSites']
}): ReportTable {
  return {
    caption: `${archive}: new pages on new sites and on old ones`,
    header: [
      'snapshot',
      'new sites',
      'led to',
      'by pages',
      'new pages there',
      'on old sites',
      'share',
    ],
    rows: steps
      .filter(({ newSites }) => newSites > 0)
      .map(({ t, newSites, pagesOnNewSites, pagesOnOldSites, gains }) => [
        t,
        newSites,
        gains.reduce((sum, gain) => sum + gain, 0),
        gains.length,
        pagesOnNewSites,
        pagesOnOldSites,
        pagesOnNewSites / (pagesOnNewSites + pagesOnOldSites),
      ]),
  }
}

function coverTable(caption: string, { greedy, interleaved }: DiscoveryPool): ReportTable {
  return {
    caption,
    header: ['share', 'overhead, of each site', 'overhead, of all sites together'],
    rows: greedy.map(({ share, overhead }, i) => [
      share,
      overhead ?? '–',
      interleaved[i].overhead ?? '–',
    ]),
  }
}

function boundTable(caption: string, all: DiscoveryPool, lean: DiscoveryPool): ReportTable {
  return {
    caption,
    header: ['period', 'coverage', 'after the start', 'without listings', 'after the start'],
    rows: all.bounds.map(({ period, coverage, settled }, i) => [
      period,
      coverage ?? '–',
      settled ?? '–',
      lean.bounds[i].coverage ?? '–',
      lean.bounds[i].settled ?? '–',
    ]),
  }
}

function algorithmTable(caption: string, { rows }: DiscoveryPool): ReportTable {
  return {
    caption,
    header: [
      'algorithm',
      'period',
      'budget',
      'coverage',
      'overhead',
      'cover size',
      'position',
      'overhead with recrawls',
    ],
    rows: rows.map((row) => [
      row.algorithm,
      row.period,
      row.budget,
      row.coverage ?? '–',
      row.overhead ?? '–',
      row.coverSize ?? '–',
      row.position ?? '–',
      row.totalOverhead ?? '–',
    ]),
  }
}

function revisitTable(caption: string, { revisits }: DiscoveryPool): ReportTable {
  return {
    caption: `${caption}: weekly, the budget is all there is; recrawls, all have as many fetches as od-win with a full recrawl every four snapshots and this budget between them`,
    header: [
      'policy',
      'spending',
      'budget',
      'fetches',
      'found',
      'share',
      'at once',
      'delay',
      'waiting',
    ],
    rows: revisits.map((row) => [
      row.policy,
      row.spending,
      row.budget,
      row.fetched,
      row.found,
      row.coverage ?? '–',
      row.atOnce ?? '–',
      row.delay ?? '–',
      row.waiting ?? '–',
    ]),
  }
}
