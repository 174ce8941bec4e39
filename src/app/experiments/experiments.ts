import { budgetExperiment } from './budget.ts'
import { discoveryExperiment } from './discovery.ts'
import type { Experiment } from './experiment.ts'
import { forecastExperiment } from './forecast.ts'
import { iterateExperiment } from './iterate.ts'
import { liveExperiment } from './live.ts'
import { needinessExperiment } from './neediness.ts'
import { orderingExperiment } from './ordering.ts'
import { refreshExperiment } from './refresh.ts'
import { searchExperiment } from './search.ts'
import { selectionExperiment } from './selection.ts'
import { weeksExperiment } from './weeks.ts'

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
}
