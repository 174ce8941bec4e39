import type { Command } from 'commander'
import {
  type ForecastPoint,
  type ForecastRow,
  forecast,
  GAIN_MEASURES,
} from '#lab/experiments/refresh/forecast.ts'
import { REFRESH_SCORINGS, refreshLab } from '#lab/refresh/refresh-lab.ts'
import { scatterChart } from '#lab/report/scatter-chart.ts'
import { commaList } from '../cli/settings/options.ts'
import { UsageError } from '../text/usage-error.ts'
import { type NamedWorkload, readRefreshTexts, workloadsOf } from './refresh/refresh-archive.ts'
import { type ShelvedArchive, shelve } from './running/archive-shelf.ts'
import type {
  CommonOptions,
  Experiment,
  ExperimentRun,
  ExperimentStep,
  Findings,
} from './running/experiment.ts'

interface ForecastOptions extends CommonOptions {
  readonly workload: string
}

interface FoundForecast {
  readonly archive: string
  readonly workload: string
  readonly forecasts: readonly {
    readonly row: ForecastRow
    readonly points: readonly ForecastPoint[]
  }[]
}

export const forecastExperiment: Experiment<ForecastOptions> = {
  summary:
    'whether pages go on gaining by refreshes what they gained before (second half against first)',
  example: 'forecast --archive modelweb --out out.json --report report.html',
  addFlags: (command: Command) => {
    command.option(
      '--workload <names>',
      'judged (synthetic, from titles and anchors, where an archive has no queries), or a variant such as popular',
      'judged',
    )
  },
  prepare,
}

const INTRO = `What refreshing each page whenever it changed gained, by the weeks since the refresh before: the mean over
the refreshes of the first half of the weeks, and of the second. A gain is in score times visibility, averaged over the workload. "exact" measures whole queries by their gain
curves, "terms" single terms by curves of three pieces, as the paper did. Pages that gained in one half only
lie on the edges.`

async function prepare(options: ForecastOptions): Promise<ExperimentRun> {
  const archives = await shelve(options.archive)
  for (const { dir, snapshots } of archives)
    if (snapshots < 4)
      throw new UsageError(`${dir} has ${snapshots} snapshots; a forecast needs 4 or more`)
  const stepOf = (shelved: ShelvedArchive, workload: NamedWorkload): ExperimentStep => ({
    name: `${shelved.id} ${workload.name}`,
    run: async () => {
      const texts = await readRefreshTexts(shelved, workload)
      const forecasts = REFRESH_SCORINGS.flatMap((scoring) => {
        const lab = refreshLab(texts, scoring)
        return GAIN_MEASURES.map((measure) => forecast(lab, scoring, measure))
      })
      return {
        found: { archive: shelved.id, workload: workload.name, forecasts } satisfies FoundForecast,
      }
    },
  })
  const steps = archives.flatMap((shelved) =>
    workloadsOf(shelved, commaList(options.workload)).map((workload) => stepOf(shelved, workload)),
  )
  if (steps.length === 0) throw new UsageError(`no archive has the workload "${options.workload}"`)
  return {
    steps,
    present: (found) =>
      present(
        found as FoundForecast[],
        archives.map(({ id }) => id),
        options.seed,
      ),
  }
}

function present(
  found: readonly FoundForecast[],
  archives: readonly string[],
  seed: number,
): Findings {
  const rows = found.flatMap(({ archive, workload, forecasts }) =>
    forecasts.map(({ row }) => ({ archive, workload, ...row })),
  )
  const shown = (value: number | null) => value?.toFixed(3) ?? '–'
  return {
    result: {
      experiment: 'forecast',
      archive: archives.length > 1 ? archives : archives[0],
      seed,
      keys: ['archive', 'workload', 'scoring', 'measure'],
      rows,
    },
    title: 'Forecast: do pages go on gaining what they gained',
    intro: INTRO,
    charts: found.flatMap(({ archive, workload, forecasts }) =>
      REFRESH_SCORINGS.map((scoring) =>
        scatterChart(
          forecasts
            .filter(({ row }) => row.scoring === scoring)
            .map(({ row, points }) => ({ name: row.measure, points })),
          {
            title: `${archive} (${workload}), ${scoring}: gain a week of each page`,
            xLabel: 'first half (logarithmic)',
            yLabel: 'second half (logarithmic)',
          },
        ),
      ),
    ),
    tables: [
      {
        caption: 'Pages by the halves in which refreshing them gained, and rank correlations',
        header: [
          'archive',
          'queries',
          'scoring',
          'gains',
          'pages',
          'both',
          'first only',
          'second only',
          'neither',
          'ρ of both',
          'ρ of any',
          'top tenth',
          'best tenth',
        ],
        rows: rows.map((row) => [
          row.archive,
          row.workload,
          row.scoring,
          row.measure,
          row.pages,
          row.both,
          row.firstOnly,
          row.secondOnly,
          row.neither,
          shown(row.correlationOfBoth),
          shown(row.correlationOfAny),
          shown(row.topTenthShare),
          shown(row.bestTenthShare),
        ]),
      },
    ],
    archives,
  }
}
