import type { Experiment } from './experiment.ts'
import { runSearchExperiment } from './search-experiment.ts'
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
  search: {
    summary:
      'how well the judged queries are answered when everything is indexed (NDCG@10, recall@100)',
    run: runSearchExperiment,
  },
}
