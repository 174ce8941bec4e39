import { bucketsExperiment } from './buckets.ts'
import { budgetExperiment } from './budget/budget.ts'
import { contextsExperiment } from './contexts.ts'
import { discoveryExperiment } from './discovery/discovery.ts'
import { forecastExperiment } from './forecast.ts'
import { liveExperiment } from './live.ts'
import { needinessExperiment } from './ordering/neediness.ts'
import { orderingExperiment } from './ordering/ordering.ts'
import { refreshExperiment } from './refresh/refresh.ts'
import type { Experiment } from './running/experiment.ts'
import { searchExperiment } from './search.ts'
import { iterateExperiment } from './selection/iterate.ts'
import { selectionExperiment } from './selection/selection.ts'
import { weeksExperiment } from './weeks/weeks.ts'

/** Experiments by name, each named after what it shows. */
export const EXPERIMENTS: Readonly<Record<string, Experiment>> = {
  selection: selectionExperiment,
  iterate: iterateExperiment,
  search: searchExperiment,
  ordering: orderingExperiment,
  neediness: needinessExperiment,
  live: liveExperiment,
  weeks: weeksExperiment,
  refresh: refreshExperiment,
  forecast: forecastExperiment,
  discovery: discoveryExperiment,
  budget: budgetExperiment,
  buckets: bucketsExperiment,
  contexts: contextsExperiment,
}
