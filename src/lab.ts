/**
 * The lab as a library: webs with known answers, and experiments that judge policies on them. An experiment's options are its
 * flags in camel case, as `forager lab run NAME --help` lists them.
 *
 *     import { makeModelWeb, runExperiment } from 'forager/lab'
 *     await makeModelWeb('modelweb', { pages: 1000, weeks: 4 })
 *     const { rows } = await runExperiment('selection', { archive: ['modelweb'], policies: 'bfs,pagerank' })
 */

export { EXPERIMENTS } from '#app/experiments/experiments.ts'
export { type RunExperimentOptions, runExperiment } from '#app/experiments/run-experiment.ts'
export type { Experiment, ExperimentJson } from '#app/experiments/running/experiment.ts'
export { makeModelWeb } from '#app/experiments/running/make-model-web.ts'
export type { Archive } from '#archive/format/archive.ts'
export { readArchive } from '#archive/format/read-archive.ts'
