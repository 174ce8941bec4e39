import {
  type ForecastPoint,
  type ForecastRow,
  forecast,
  GAIN_MEASURES,
} from '#lab/experiments/refresh/forecast.ts'
import { REFRESH_SCORINGS, type RefreshScoring, refreshLab } from '#lab/refresh/refresh-lab.ts'
import {
  mustHaveWorkload,
  readRefreshTexts,
  workloadFlag,
  workloadsOf,
} from './refresh/refresh-archive.ts'
import { defineExperiment } from './running/define-experiment.ts'

interface Place {
  readonly archive: string
  readonly workload: string
}

type Found = {
  readonly rows: readonly (Place & ForecastRow)[]
  readonly points: readonly (Place & {
    readonly scoring: RefreshScoring
    readonly measure: string
    readonly point: ForecastPoint
  })[]
}

export const forecastExperiment = defineExperiment<Found>()({
  name: 'forecast',
  summary:
    'whether pages go on gaining by refreshes what they gained before (second half against first)',
  example: 'forecast --archive modelweb --out out.json --report report.html',
  flags: { workload: workloadFlag },
  leastSnapshots: 4,
  check: ({ workload }, archives) => mustHaveWorkload(archives, workload),
  open: (archive) => archive,
  trials: ({ workload }, trialsOf, archive) =>
    trialsOf({ workload: workloadsOf(archive, workload) }, async (archive, { workload }) => {
      const texts = await readRefreshTexts(archive, workload)
      const all = REFRESH_SCORINGS.flatMap((scoring) => {
        const lab = refreshLab(texts, scoring)
        return GAIN_MEASURES.map((measure) => forecast(lab, scoring, measure))
      })
      const points = all.flatMap(({ row: { scoring, measure }, points }) =>
        points.map((point) => ({ scoring, measure, point })),
      )
      return { tables: { rows: all.map(({ row }) => row), points } }
    }),
  keys: ['archive', 'workload', 'scoring', 'measure'],
  drawnOnly: ['points'],
  title: 'Forecast: do pages go on gaining what they gained',
  intro: `What refreshing each page whenever it changed gained, by the weeks since the refresh before: the mean over
the refreshes of the first half of the weeks, and of the second. A gain is in score times visibility, averaged over the
workload. "exact" measures whole queries by their gain curves, "terms" single terms by curves of three pieces, as the paper did. Pages that gained in one half only
lie on the edges.`,
  views: [
    {
      as: 'points',
      of: 'points',
      title: 'gain a week of each page',
      each: ({ archive, workload, scoring }) => `${archive} (${workload}), ${scoring}`,
      by: 'measure',
      x: ({ point }) => point[0],
      y: ({ point }) => point[1],
      xLabel: 'first half (logarithmic)',
      yLabel: 'second half (logarithmic)',
    },
    {
      as: 'table',
      of: 'rows',
      caption: 'Pages by the halves in which refreshing them gained, and rank correlations',
    },
  ],
})
