import type { Experiment } from './experiment.ts'
import { runSelectionExperiment } from './selection-experiment.ts'

/** Experiments by name, each named after what it shows. */
export const EXPERIMENTS: Readonly<
  Record<string, { readonly summary: string; readonly run: Experiment }>
> = {
  selection: {
    summary:
      'how well the N best pages by each policy could serve the judged queries (maxNDCG against size)',
    run: runSelectionExperiment,
  },
}
