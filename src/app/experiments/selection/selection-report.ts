import type { Ceiling, SelectionRow } from '#lab/experiments/selection/selection.ts'
import { lineChart, type Series } from '#lab/report/line-chart.ts'
import type { ShelvedArchive } from '../running/archive-shelf.ts'
import type { Findings } from '../running/experiment.ts'

/** What one step finds: one selection on one archive, at all sizes. */
export interface SelectionFound {
  readonly archive: string
  readonly ceiling: Ceiling
  readonly rows: readonly SelectionRow[]
}

const INTRO = `Each policy scores every URL a breadth-first crawl came to know, and the best N are kept.
maxNDCG is the mean NDCG@10 that the best possible ranking of the kept pages would reach on the judged
queries, each query counting the same; the bands are 95 % intervals over queries. "Actual" counts only pages
that a fetch would get. A union puts URLs with enough links from other domains first; a domain limit keeps
only so many of the best N of a domain, and does not fill up.`

/** Everything that all steps found, as JSON, figures and tables. */
export function presentSelection(
  archives: readonly ShelvedArchive[],
  found: readonly SelectionFound[],
  seed: number,
): Findings {
  const ids = archives.map(({ id }) => id)
  const byArchive = ids.map((id) => ({
    id,
    ceiling: found.find(({ archive }) => archive === id)!.ceiling,
    rows: found.filter(({ archive }) => archive === id).flatMap(({ rows }) => rows),
  }))
  return {
    result: {
      experiment: 'selection',
      archive: ids.length > 1 ? ids : ids[0],
      seed,
      keys: ['archive', 'policy', 'size'],
      ceilings: byArchive.map(({ id, ceiling }) => ({ archive: id, ...ceiling })),
      rows: byArchive.flatMap(({ id, rows }) => rows.map((row) => ({ archive: id, ...row }))),
    },
    title: 'Selection: which pages could serve the searchers',
    intro: INTRO,
    charts: byArchive.flatMap(({ id, ceiling, rows }) => figures(id, ceiling, rows)),
    tables: byArchive.map(({ id, ceiling, rows }) => ({
      caption: `${id}: ${ceiling.known} URLs known, their maxNDCG ${ceiling.maxNdcg?.toFixed(4) ?? '–'}; ${ceiling.queries} judged queries, ${ceiling.dropped} more without a good answer left out`,
      header: HEADER,
      rows: rows.map((row) => [
        row.policy,
        row.size,
        row.selected,
        row.maxNdcg ?? '–',
        row.ciLow ?? '–',
        row.ciHigh ?? '–',
        row.actualMaxNdcg ?? '–',
        row.linearMaxNdcg ?? '–',
        row.clicks ?? '–',
        row.pageRankMass,
      ]),
    })),
    archives: ids,
  }
}

const HEADER = [
  'policy',
  'size',
  'selected',
  'maxNDCG',
  'from',
  'to',
  'actual',
  'linear gains',
  'clicks',
  'PageRank mass',
]

/** Single policies by quality and by clicks, unions, and domain limits, each a picture: the paper's Figures 1 to 3. */
function figures(id: string, ceiling: Ceiling, rows: readonly SelectionRow[]): string[] {
  const isJudged = ceiling.maxNdcg !== null
  const isClicked = rows.some(({ clicks }) => clicks !== null)
  const isSingle = ({ policy }: SelectionRow) => !/[+@]/.test(policy)
  const isUnion = ({ policy }: SelectionRow) => /^[^@]*\+/.test(policy)
  const baseline = (row: SelectionRow) => row.policy === 'pagerank'
  const charts: string[] = []
  const quality = (title: string, chosen: readonly SelectionRow[], bands: boolean) => {
    if (!isJudged || chosen.length === 0) return
    charts.push(
      lineChart(
        seriesOf(chosen, (row) => row.maxNdcg ?? 0, bands),
        {
          title: `${id}: ${title}`,
          xLabel: 'pages selected (logarithmic)',
          yLabel: 'maxNDCG@10',
          logX: true,
          ceiling: { name: 'all URLs known', y: ceiling.maxNdcg! },
        },
      ),
    )
  }
  quality('what each policy could give', rows.filter(isSingle), true)
  if (isClicked)
    charts.push(
      lineChart(
        seriesOf(rows.filter(isSingle), (row) => row.clicks ?? 0, false),
        {
          title: `${id}: clicks on the pages selected`,
          xLabel: 'pages selected (logarithmic)',
          yLabel: 'clicks',
          logX: true,
        },
      ),
    )
  // All that can be shown where nobody judged or clicked.
  if (!isJudged && !isClicked)
    charts.push(
      lineChart(
        seriesOf(rows.filter(isSingle), (row) => row.pageRankMass, false),
        {
          title: `${id}: PageRank that the pages selected hold`,
          xLabel: 'pages selected (logarithmic)',
          yLabel: 'share of all PageRank',
          logX: true,
        },
      ),
    )
  if (rows.some(isUnion))
    quality(
      'unions',
      rows.filter((row) => isUnion(row) || baseline(row)),
      false,
    )
  const limits = limitSeries(rows)
  if (isJudged && limits.length > 0)
    charts.push(
      lineChart(limits, {
        title: `${id}: domain limits on the largest selection, a point for each scale`,
        xLabel: 'pages selected (logarithmic)',
        yLabel: 'maxNDCG@10',
        logX: true,
      }),
    )
  return charts
}

/** What each kind of limit leaves of the largest selection, from tight to wide, beside what it was taken from. */
function limitSeries(rows: readonly SelectionRow[]): Series[] {
  const limited = rows.filter(({ policy }) => policy.includes('@'))
  const largest = limited.reduce((most, { size }) => Math.max(most, size), 0)
  const parents = new Set(limited.map(({ policy }) => policy.slice(0, policy.indexOf('@'))))
  const kinds = Map.groupBy(
    limited.filter(({ size }) => size === largest),
    ({ policy }) => policy.replace(/-[\d.]+(?=-refill|$)/, ''),
  )
  return [
    ...seriesOf(
      rows.filter(({ policy }) => parents.has(policy)),
      (row) => row.maxNdcg ?? 0,
      false,
    ),
    ...Array.from(kinds, ([name, own]) => ({
      name,
      points: own
        .map(({ selected, maxNdcg }) => [selected, maxNdcg ?? 0] as const)
        .sort(([a], [b]) => a - b),
    })),
  ]
}

function seriesOf(
  rows: readonly SelectionRow[],
  heightOf: (row: SelectionRow) => number,
  bands: boolean,
): Series[] {
  const names = [...new Set(rows.map(({ policy }) => policy))]
  return names.map((name) => {
    const own = rows.filter(({ policy }) => policy === name)
    return {
      name,
      points: own.map((row) => [row.selected, heightOf(row)] as const),
      ...(bands && { band: own.map(({ ciLow, ciHigh }) => [ciLow ?? 0, ciHigh ?? 0] as const) }),
    }
  })
}
