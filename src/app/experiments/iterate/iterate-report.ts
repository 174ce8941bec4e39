import type { IterateRow } from '#lab/experiments/selection/iterate.ts'
import { type Presence, presenceOf } from '#lab/metrics/presence-codes.ts'
import { barChart } from '#lab/report/bar-chart.ts'
import { lineChart, type Series } from '#lab/report/line-chart.ts'
import type { ShelvedArchive } from '../running/archive-shelf.ts'
import type { Findings } from '../running/experiment.ts'
import type { IterateFound } from './iterate.ts'

const INTRO = `A breadth-first crawl gives the first corpus. Then each policy selects as many URLs again and again,
every time by the links of its own corpus before and nothing else; what is selected is fetched, what is not is
dropped. A policy is stable if its corpora are alike, and good if it keeps finding pages that answer the judged
queries. Helpful pages link to a page judged good: a corpus that loses them cannot see where to go.`

/** Everything that all steps found, as JSON, figures and tables. */
export function presentIterate(
  archives: readonly ShelvedArchive[],
  found: readonly IterateFound[],
  seed: number,
): Findings {
  const ids = archives.map(({ id }) => id)
  const result = {
    experiment: 'iterate',
    archive: ids.length > 1 ? ids : ids[0],
    seed,
    keys: ['archive', 'policy', 'corpus', 'iteration'],
    rows: found.flatMap(({ archive, result }) =>
      result.rows.map((row) => ({ archive, corpus: corpusSize(result.rows), ...row })),
    ),
    likenesses: found.flatMap(({ archive, result }) =>
      result.likenesses.map((likeness) => ({
        archive,
        corpus: corpusSize(result.rows),
        ...likeness,
      })),
    ),
    sandboxes: found.map(({ archive, result }) => ({
      archive,
      corpus: corpusSize(result.rows),
      requested: result.sandbox,
    })),
  }
  return {
    result,
    title: 'Iterate: what becomes of a corpus that is selected again and again',
    intro: INTRO,
    charts: found.flatMap(figures),
    tables: found.flatMap(tables),
    archives: ids,
  }
}

/** Documents of the breadth-first crawl, by which a run is named. */
function corpusSize(rows: readonly IterateRow[]): number {
  return rows.find(({ iteration }) => iteration === 0)?.size ?? 0
}

function figures({ archive, result }: IterateFound): string[] {
  const { rows, likenesses } = result
  const where = `${archive}, ${corpusSize(rows)} pages`
  const isJudged = rows.some(({ maxNdcg }) => maxNdcg !== null)
  const later = rows.filter(({ iteration }) => iteration > 0)
  const perIteration = { xLabel: 'iteration', wholeX: true }
  return [
    ...(isJudged
      ? [
          lineChart(
            seriesOf(rows, ({ iteration, maxNdcg }) => [iteration, maxNdcg ?? 0]),
            { title: `${where}: quality of each selection`, yLabel: 'maxNDCG@10', ...perIteration },
          ),
        ]
      : []),
    lineChart(
      seriesOf(later, ({ iteration, jaccardPrevious }) => [iteration, jaccardPrevious ?? 0]),
      {
        title: `${where}: likeness to the corpus before`,
        yLabel: 'Jaccard',
        ...perIteration,
      },
    ),
    lineChart(
      [...new Set(likenesses.map(({ policies }) => policies.join(' and ')))].map((name) => ({
        name,
        points: likenesses
          .filter(({ policies }) => policies.join(' and ') === name)
          .map(({ iteration, jaccard }) => [iteration, jaccard] as const),
      })),
      { title: `${where}: likeness of the policies' corpora`, yLabel: 'Jaccard', ...perIteration },
    ),
    stability(`${where}: what became of pages over three iterations`, later, ({ codes }) => codes),
    ...(isJudged
      ? [
          stability(`${where}: the same of pages judged good`, later, ({ goodCodes }) => goodCodes),
          lineChart(
            seriesOf(later, ({ helpful, maxNdcg }) => [helpful ?? 0, maxNdcg ?? 0]),
            {
              title: `${where}: helpful pages before, and quality after`,
              xLabel: 'helpful pages in the corpus before',
              yLabel: 'maxNDCG@10',
            },
          ),
        ]
      : []),
  ]
}

function seriesOf(
  rows: readonly IterateRow[],
  pointOf: (row: IterateRow) => readonly [number, number],
): Series[] {
  return [...new Set(rows.map(({ policy }) => policy))].map((name) => ({
    name,
    points: rows.filter(({ policy }) => policy === name).map(pointOf),
  }))
}

const PRESENCES: readonly Presence[] = ['stable', 'new', 'lost', 'churn']

/** Bars of the third iteration, as the paper shows it: presence in iterations 1, 2 and 3. */
function stability(
  title: string,
  rows: readonly IterateRow[],
  codesOf: (row: IterateRow) => IterateRow['codes'],
): string {
  const bars = rows
    .filter(({ iteration }) => iteration === 3)
    .map((row) => ({
      name: row.policy,
      parts: PRESENCES.map((presence) => countOf(codesOf(row), presence)),
    }))
  return barChart(bars, { title, yLabel: 'pages', partNames: PRESENCES })
}

function countOf(codes: IterateRow['codes'], presence: Presence): number {
  return Object.entries(codes ?? {})
    .filter(([code]) => presenceOf(code) === presence)
    .reduce((sum, [, count]) => sum + count, 0)
}

function tables({ archive, result }: IterateFound) {
  const { rows, sandbox } = result
  return [
    {
      caption: `${archive}, ${corpusSize(rows)} pages; ${sandbox} URLs requested in all`,
      header: [
        'policy',
        'iteration',
        'selected',
        'fetched',
        'maxNDCG',
        'actual',
        'Jaccard',
        ...PRESENCES,
        'helpful before',
      ],
      rows: rows.map((row) => [
        row.policy,
        row.iteration,
        row.size,
        row.fetched,
        row.maxNdcg ?? '–',
        row.actualMaxNdcg ?? '–',
        row.jaccardPrevious ?? '–',
        ...PRESENCES.map((presence) => (row.codes ? countOf(row.codes, presence) : '–')),
        row.helpful ?? '–',
      ]),
    },
  ]
}
