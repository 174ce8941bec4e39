import type { ImportanceRow } from '#lab/experiments/ordering/importance-and-impact.ts'
import type { OrderingCurve, OrderingPoint } from '#lab/experiments/ordering/ordering.ts'
import type { SplitKind } from '#lab/judging/query-split.ts'
import { groupsBy, meanOf, numbersOf } from '#lab/report/rows.ts'
import type { View } from '#lab/report/view.ts'

/** Where a curve belongs. */
interface Place {
  readonly archive: string
  readonly setting: 'sample' | 'frontier'
  readonly dataset: 1 | 2 | null
  readonly queries: SplitKind
  readonly split: number
  readonly policy: string
}

type Row = Place & OrderingPoint
type Curve = Place & Omit<OrderingCurve, 'points'>
type Importance = ImportanceRow & { readonly archive: string }

export type OrderingFound = {
  readonly rows: readonly Row[]
  readonly curves: readonly Curve[]
  readonly importance: readonly Importance[]
  readonly early: readonly ReturnType<typeof earlyRows>[number][]
  readonly leads: readonly ReturnType<typeof leadRows>[number][]
  readonly calibrations: readonly ReturnType<typeof calibrationRows>[number][]
  /** What is drawn of these. */
  readonly pages: readonly ReturnType<typeof pageRows>[number][]
}

/** Where policies are compared in tables. */
const EARLY = 0.1
const isEarly = ({ fraction }: OrderingPoint) => Math.abs(fraction - EARLY) < 1e-9

/** Curves that can be compared with each other. */
const place = ({ archive, setting, dataset, queries }: Omit<Place, 'split' | 'policy'>) =>
  `${archive}, ${setting}${dataset === null ? '' : ` ${dataset}`}, queries: ${queries}`

/** A curve without its points, and what it came to where policies are compared. */
type ToldCurve = Omit<OrderingCurve, 'points'> &
  Pick<OrderingPoint, 'impact' | 'visibleImpact' | 'quality' | 'maxNdcg'>

/** A curve with what it came to where policies are compared. */
export function curveOf({ points, ...curve }: OrderingCurve): ToldCurve {
  const { impact, visibleImpact, quality, maxNdcg } = points.find(isEarly) ?? points.at(-1)!
  return { ...curve, impact, visibleImpact, quality, maxNdcg }
}

export function orderingTables({ rows, curves, importance }: OrderingFound) {
  return {
    early: earlyRows(rows, curves),
    leads: leadRows(rows),
    calibrations: calibrationRows(curves),
    pages: pageRows(importance),
  }
}

/** One row a policy and place, the mean over splits. */
function earlyRows(rows: readonly Row[], curves: readonly Curve[]) {
  const places = [...groupsBy(rows.filter(isEarly), place).values()]
  return places.flatMap((here) => {
    const byPolicy = groupsBy(here, 'policy')
    const pagerank = meanOf(byPolicy.get('pagerank') ?? [], 'impact')
    return Array.from(byPolicy, ([policy, own]) => {
      const { archive, setting, dataset, queries } = own[0]
      const impacts = numbersOf(own, 'impact')
      const impact = meanOf(own, 'impact')
      const ours = curves.filter((one) => one.policy === policy && place(one) === place(own[0]))
      return {
        ...{ archive, setting, dataset, queries, policy, impact },
        lowest: Math.min(...impacts),
        highest: Math.max(...impacts),
        timesPagerank: pagerank && impact !== undefined ? impact / pagerank : null,
        area: meanOf(ours, 'area'),
        visibleImpact: meanOf(own, 'visibleImpact'),
        quality: meanOf(own, 'quality'),
        maxNdcg: meanOf(own, 'maxNdcg'),
      }
    })
  })
}

/** Our own policy, of which rivals are told how far it leads. */
const OURS = 'impact'
/** Those of the impact paper, as printed and in our form, which is the stronger one. */
const PAPERS: readonly string[] = ['query-independent', 'query-driven', 'hybrid-paper', 'hybrid']

/** How many times the impact of each rival ours has, split by split, and of the best of the paper's. */
function leadRows(rows: readonly Row[]) {
  const splits = groupsBy(rows.filter(isEarly), (row) => `${place(row)} ${row.split}`)
  return [...splits.values()].flatMap((here) => {
    const ours = here.find(({ policy }) => policy === OURS)
    if (ours === undefined) return []
    const { archive, setting, dataset, queries, split } = ours
    const papers = here.filter(({ policy }) => PAPERS.includes(policy))
    const best = papers.length > 0 ? Math.max(...numbersOf(papers, 'impact')) : 0
    const rivals = [
      ...here.filter((row) => row !== ours).map(({ policy, impact }) => [policy, impact] as const),
      ["the best of the paper's", best] as const,
    ]
    return rivals
      .filter(([, impact]) => impact > 0)
      .map(([than, impact]) => ({
        ...{ archive, setting, dataset, queries, split, than },
        times: ours.impact / impact,
      }))
  })
}

/** What bids promised and what came, where a policy says so, a tenth of the pages each. */
function calibrationRows(curves: readonly Curve[]) {
  return curves.flatMap(({ calibration, area: _, ...where }) =>
    (calibration?.groups ?? []).map(({ predicted, realised }, i) => ({
      ...where,
      tenth: i + 1,
      predicted: 1000 * predicted,
      realised: 1000 * realised,
      rankCorrelation: calibration!.rankCorrelation,
    })),
  )
}

const MEANS = 'mean of a tenth of the pages'

/** Each point is a page, and each mean that of a tenth of the pages. */
function pageRows(importance: readonly Importance[]) {
  return importance.flatMap(({ archive, importance: by, points, buckets }) => [
    ...points.map(([importance, impact]) => ({ archive, by, kind: 'a page', importance, impact })),
    ...buckets.map(({ meanImportance, meanImpact }) => ({
      ...{ archive, by, kind: MEANS, importance: meanImportance, impact: meanImpact },
    })),
  ])
}

export const orderingViews: readonly View<OrderingFound>[] = [
  {
    as: 'lines',
    of: 'rows',
    title: 'share of the impact fetched',
    each: place,
    x: 'fraction',
    y: 'impact',
    xLabel: 'share of the pages fetched',
    yLabel: 'share of the impact fetched',
  },
  {
    as: 'lines',
    of: 'rows',
    title: 'repository quality',
    pick: (rows) => rows.filter(({ setting }) => setting === 'frontier'),
    each: place,
    x: 'fraction',
    y: 'quality',
    xLabel: 'share of the pages fetched',
  },
  {
    as: 'points',
    of: 'pages',
    title: 'impact by importance',
    each: ({ archive, by }) => `${archive}, ${by}`,
    by: 'kind',
    large: MEANS,
    x: 'importance',
    y: 'impact',
    xLabel: 'importance of the page (logarithmic)',
    yLabel: 'impact of the page (logarithmic)',
    ownScales: true,
  },
  {
    as: 'table',
    of: 'early',
    caption: 'at 10 %, mean of the splits',
    each: place,
    columns: [
      ...(['policy', 'impact', 'lowest', 'highest'] as const),
      ['× pagerank', 'timesPagerank'],
      'area',
      ['impact r^-1.5', 'visibleImpact'],
      ...(['quality', 'maxNdcg'] as const),
    ],
  },
  {
    as: 'table',
    of: 'leads',
    caption: `how many times the impact of each other policy ${OURS} has at 10 %`,
    each: place,
    columns: ['than'],
    across: { by: ({ split }) => `split ${split}`, cell: ([row]) => row.times },
  },
  {
    as: 'table',
    of: 'calibrations',
    caption: ([{ policy }]) =>
      `quality per 1,000 searches by tenths of the pages, by rising bid, as ${policy} bids and as it came`,
    isDetail: true,
    each: place,
    columns: ['policy', 'split', 'tenth', 'predicted', 'realised', 'rankCorrelation'],
  },
  { as: 'table', of: 'importance', caption: 'importance and impact' },
]
