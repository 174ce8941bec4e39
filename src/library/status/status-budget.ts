import type { Frontier } from '#frontier/frontier.ts'
import type { Lessons } from '#learn/lessons.ts'
import { type CalibrationGroup, calibrationGroups } from '#numeric/learning/calibration.ts'
import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import { urlClass } from '#parse/url/url-class.ts'
import { PURPOSES, type Purpose } from '#policy/bids.ts'
import type { CrawlStore } from '#repository/state/crawl-store.ts'
import type { Tasks } from './spending.ts'

/** How a crawl spends its one budget, from its tables. */
export interface BudgetStatus {
  readonly tasks: {
    readonly inAll: Tasks
    /** Of the last cycles, so many at most. */
    readonly lately: Tasks
    readonly latelyCycles: number
  }
  /** What the last affordable fetch was worth, cycle by cycle, quality × days. */
  readonly prices: readonly {
    readonly cycle: number
    readonly at: number
    readonly price: number
  }[]
  /** What the fetches of each cycle gained, quality; as far as it was measured. */
  readonly gains: readonly { readonly cycle: number; readonly at: number; readonly gain: number }[]
  /** By task: what fetches were expected to bring against what they brought. */
  readonly forecasts: readonly TaskForecast[]
  /** Fetches sampled at random, and the quality that one of them gained on average. */
  readonly random: { readonly fetches: number; readonly meanGain?: number }
  /** Classes of URLs that behave unlike before. */
  readonly alarms: readonly StatusAlarm[]
}

export interface TaskForecast {
  readonly task: Purpose
  /** Quality; for discovery new links. */
  readonly unit: 'quality' | 'new links'
  /** The latest of the fetches that had a forecast. */
  readonly fetches: number
  /** Means of a fetch. */
  readonly predicted: number
  readonly realised: number
  readonly rankCorrelation: number
  /** From the lowest tenth of the forecasts to the highest. */
  readonly deciles: readonly Pick<CalibrationGroup, 'rows' | 'predicted' | 'realised'>[]
}

export interface StatusAlarm {
  readonly kind: 'vanishing' | 'burst of links'
  /** An address of the class, with its varying parts left open. */
  readonly className: string
  readonly since: number
  /** How many times more happens than before. */
  readonly factor: number
}

const LATELY_CYCLES = 10
/** Forecasts are compared by so many latest fetches of each task. */
const LATEST_FETCHES = 4_000

/** What the tables tell of a crawl's budget. Needs no index. */
export async function budgetStatus(store: CrawlStore): Promise<Omit<BudgetStatus, 'alarms'>> {
  const { budget } = store.reports
  const forecasts = await Promise.all(PURPOSES.map((task) => forecastOf(store, task)))
  return {
    tasks: {
      inAll: await budget.fetchesByTask(),
      lately: await budget.fetchesByTask(LATELY_CYCLES),
      latelyCycles: LATELY_CYCLES,
    },
    prices: await budget.prices(),
    gains: await budget.gains(),
    forecasts: forecasts.flatMap((forecast) => forecast ?? []),
    random: await budget.sampledFetches(),
  }
}

async function forecastOf(store: CrawlStore, task: Purpose): Promise<TaskForecast | undefined> {
  const rows = await store.reports.budget.predictions(task, LATEST_FETCHES)
  if (rows.length === 0) return undefined
  const predicted = Float64Array.from(rows, (row) => row.predicted)
  const realised = Float64Array.from(rows, (row) => row.realised)
  const mean = (values: Float64Array) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    task,
    unit: task === 'discover' ? 'new links' : 'quality',
    fetches: rows.length,
    predicted: mean(predicted),
    realised: mean(realised),
    rankCorrelation: rankCorrelation(predicted, realised),
    deciles: calibrationGroups(predicted, realised).map(({ rows, predicted, realised }) => ({
      ...{ rows, predicted, realised },
    })),
  }
}

/** The alarms there are when the whole log has been gone through. */
export function alarmsNow({ watch, frontier }: Lessons): StatusAlarm[] {
  const { vanishing, bursts } = watch.alarms()
  const all = [
    ...vanishing.map((alarm) => ({ kind: 'vanishing' as const, ...alarm })),
    ...bursts.map((alarm) => ({ kind: 'burst of links' as const, ...alarm })),
  ]
  const names = classNames(frontier, new Set(all.map(({ classNumber }) => classNumber)))
  return all.map(({ kind, classNumber, since, factor }) => ({
    ...{ kind, since, factor },
    className: names.get(classNumber) ?? '',
  }))
}

function classNames(frontier: Frontier, wanted: ReadonlySet<number>): Map<number, string> {
  const names = new Map<number, string>()
  for (let url = 0; url < frontier.size && names.size < wanted.size; url++) {
    const number = frontier.classes.of(url)
    if (wanted.has(number) && !names.has(number))
      names.set(number, urlClass(frontier.urls.urlOf(url)))
  }
  return names
}
