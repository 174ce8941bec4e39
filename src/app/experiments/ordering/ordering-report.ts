import type { ImportanceRow } from '#lab/experiments/ordering/importance-and-impact.ts'
import type { OrderingCurve, OrderingPoint } from '#lab/experiments/ordering/ordering.ts'
import type { SplitKind } from '#lab/judging/query-split.ts'
import { lineChart } from '#lab/report/line-chart.ts'
import type { ReportTable } from '#lab/report/report-page.ts'
import { scatterChart } from '#lab/report/scatter-chart.ts'
import type { Findings } from '../running/experiment.ts'

/** One curve of the experiment, and where it belongs. */
export interface FoundCurve extends OrderingCurve {
  readonly archive: string
  readonly setting: 'sample' | 'frontier'
  readonly dataset: 1 | 2 | null
  readonly queries: SplitKind
  readonly split: number
  readonly policy: string
}

/** What the links of one archive say, against what searchers see. */
export interface FoundImportance {
  readonly archive: string
  readonly importance: readonly ImportanceRow[]
}

/** Where policies are compared in tables. */
const EARLY = 0.1

/** All curves as rows, charts and tables; what several splits found is averaged. */
export function presentOrdering(
  found: readonly (FoundCurve | FoundImportance)[],
  archives: readonly string[],
  { seed, k, scoring }: { readonly seed: number; readonly k: number; readonly scoring: string },
): Findings {
  const curves = found.filter((one) => 'points' in one)
  const importance = found.filter((one) => 'importance' in one)
  const groups = groupsOf(curves)
  return {
    result: {
      experiment: 'ordering',
      archive: archives.length > 1 ? archives : archives[0],
      seed,
      k,
      scoring,
      keys: ['archive', 'setting', 'dataset', 'queries', 'split', 'policy', 'fraction'],
      rows: curves.flatMap(({ points, area: _, calibration: __, ...where }) =>
        points.map((point) => ({ ...where, ...point })),
      ),
      curves: curves.map(({ points, ...rest }) => ({ ...rest, ...measuredAt(points, EARLY) })),
      importance: importance.flatMap(({ archive, importance }) =>
        importance.map((row) => ({ archive, ...row })),
      ),
    } as Findings['result'],
    title: 'Ordering: what searchers gain from the next fetches',
    intro:
      'Some pages are taken for not crawled. Each policy orders them by what it learns from the training queries; the test queries tell how much of the impact (how often a page is among the first results when everything is crawled) has been fetched. sample 1: a random 30 % is not crawled. sample 2: its most important fifth by PageRank is crawled too. frontier: 10 % are crawled breadth-first, and batches follow, planned from what is known by then. Shares are of the pages not crawled at the start.',
    charts: [
      ...groups.flatMap((group) => chartsOf(group)),
      ...importance.flatMap(importanceCharts),
    ],
    tables: [
      ...groups.map(tableOf),
      ...groups.flatMap(calibrationTables),
      ...importance.map(importanceTable),
    ],
    archives,
  }
}

/** Curves that can be compared with each other. */
interface Group {
  readonly title: string
  readonly setting: FoundCurve['setting']
  readonly byPolicy: ReadonlyMap<string, readonly FoundCurve[]>
}

function groupsOf(curves: readonly FoundCurve[]): Group[] {
  const groups = new Map<string, Group & { byPolicy: Map<string, FoundCurve[]> }>()
  for (const curve of curves) {
    const { archive, setting, dataset, queries, policy } = curve
    const title = `${archive}, ${setting}${dataset === null ? '' : ` ${dataset}`}, queries: ${queries}`
    const group = groups.get(title) ?? { title, setting, byPolicy: new Map() }
    groups.set(title, group)
    group.byPolicy.set(policy, [...(group.byPolicy.get(policy) ?? []), curve])
  }
  return [...groups.values()]
}

type Measure = 'impact' | 'visibleImpact' | 'quality' | 'maxNdcg'

function chartsOf(group: Group): string[] {
  const measures: (readonly [Measure, string])[] = [
    ['impact', 'share of the impact fetched'],
    ...(group.setting === 'frontier' ? ([['quality', 'repository quality']] as const) : []),
  ]
  return measures.map(([measure, yLabel]) =>
    lineChart(
      Array.from(group.byPolicy, ([name, curves]) => ({
        name,
        points: meanCurve(curves, measure),
      })),
      { title: group.title, xLabel: 'share of the pages fetched', yLabel },
    ),
  )
}

/** The mean over splits at each fraction. */
function meanCurve(curves: readonly FoundCurve[], measure: Measure): [number, number][] {
  return curves[0].points.flatMap(({ fraction }) => {
    const value = meanAt(curves, fraction, measure)
    return value === undefined ? [] : ([[fraction, value]] as [number, number][])
  })
}

function meanAt(curves: readonly FoundCurve[], fraction: number, measure: Measure) {
  return mean(curves.flatMap(({ points }) => pointAt(points, fraction)?.[measure] ?? []))
}

function pointAt(points: readonly OrderingPoint[], fraction: number): OrderingPoint | undefined {
  return points.find((point) => Math.abs(point.fraction - fraction) < 1e-9)
}

function measuredAt(points: readonly OrderingPoint[], fraction: number): object {
  const { impact, visibleImpact, quality, maxNdcg } = pointAt(points, fraction) ?? points.at(-1)!
  return { impact, visibleImpact, quality, maxNdcg }
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, x) => sum + x, 0) / values.length
}

function tableOf({ title, byPolicy }: Group): ReportTable {
  const early = (curves: readonly FoundCurve[], measure: Measure) => meanAt(curves, EARLY, measure)
  const pagerank = early(byPolicy.get('pagerank') ?? [], 'impact')
  return {
    caption: `${title}: at 10 %, mean of the splits`,
    header: [
      'policy',
      'impact',
      'lowest',
      'highest',
      '× pagerank',
      'area',
      'impact r^-1.5',
      'quality',
      'maxNDCG',
    ],
    rows: Array.from(byPolicy, ([policy, curves]) => {
      const impacts = curves.flatMap(({ points }) => pointAt(points, EARLY)?.impact ?? [])
      const impact = mean(impacts)
      return [
        policy,
        shown(impact),
        shown(impacts.length === 0 ? undefined : Math.min(...impacts)),
        shown(impacts.length === 0 ? undefined : Math.max(...impacts)),
        shown(pagerank && impact !== undefined ? impact / pagerank : undefined),
        shown(mean(curves.map(({ area }) => area))),
        shown(early(curves, 'visibleImpact')),
        shown(early(curves, 'quality')),
        shown(early(curves, 'maxNdcg')),
      ]
    }),
  }
}

/** What bids promised and what came, where a policy says so; groups of the splits are put side by side. */
function calibrationTables({ title, byPolicy }: Group): ReportTable[] {
  return Array.from(byPolicy, ([policy, curves]) => {
    const found = curves.flatMap(({ calibration }) => calibration ?? [])
    const groups = Math.min(...found.map(({ groups }) => groups.length))
    const correlation = mean(found.map(({ rankCorrelation }) => rankCorrelation))
    return {
      caption: `${title}: quality per 1,000 searches, as ${policy} bids and as it came (rank correlation ${shown(correlation)})`,
      header: ['tenth of the pages, by rising bid', 'predicted', 'realised'],
      rows: Array.from({ length: found.length === 0 ? 0 : groups }, (_, group) => [
        group + 1,
        shown(mean(found.map((one) => 1000 * one.groups[group].predicted))),
        shown(mean(found.map((one) => 1000 * one.groups[group].realised))),
      ]),
    }
  }).filter(({ rows }) => rows.length > 0)
}

/** Each point is a page, and each mean that of a tenth of the pages. */
function importanceCharts({ archive, importance }: FoundImportance): string[] {
  return importance.map(({ importance: name, points, buckets }) =>
    scatterChart(
      [
        { name: 'a page', points },
        {
          name: 'mean of a tenth of the pages',
          isLarge: true,
          points: buckets.map(({ meanImportance, meanImpact }) => [meanImportance, meanImpact]),
        },
      ],
      {
        title: `${archive}: impact by importance`,
        xLabel: `${name} of the page (logarithmic)`,
        yLabel: 'impact of the page (logarithmic)',
        ownScales: true,
      },
    ),
  )
}

function importanceTable({ archive, importance }: FoundImportance): ReportTable {
  return {
    caption: `${archive}: importance and impact`,
    header: ['importance', 'correlation', 'unimportant but seen', 'important but unseen'],
    rows: importance.map((row) => [
      row.importance,
      shown(row.correlation ?? undefined),
      row.unimportantButSeen,
      row.importantButUnseen,
    ]),
  }
}

const shown = (value: number | undefined): string => value?.toFixed(3) ?? '–'
