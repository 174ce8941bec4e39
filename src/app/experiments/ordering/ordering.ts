import { type Command, InvalidArgumentError } from 'commander'
import { importanceAndImpact } from '#lab/experiments/ordering/importance-and-impact.ts'
import { runFrontier, runSample } from '#lab/experiments/ordering/ordering.ts'
import type { OrderingPolicy } from '#lab/experiments/ordering/ordering-policies.ts'
import {
  frontierSetting,
  type OrderingSetting,
  sampleSetting,
} from '#lab/experiments/ordering/ordering-settings.ts'
import { type SplitKind, splitQueries } from '#lab/judging/query-split.ts'
import { onePerArchive, type ShelvedArchive, shelve, snapshotAt } from '../running/archive-shelf.ts'
import type { Experiment, ExperimentRun, ExperimentStep } from '../running/experiment.ts'
import {
  addOrderingFlags,
  chosen,
  type OrderingArchive,
  type OrderingFlags,
  type OrderingPlan,
  orderingPlan,
  paperFlags,
  randomOf,
  readOrderingArchive,
} from './ordering-archive.ts'
import { type FoundCurve, type FoundImportance, presentOrdering } from './ordering-report.ts'

interface OrderingOptions extends OrderingFlags {
  readonly setting?: string
  readonly batch: number
  readonly until: number
}

export const orderingExperiment: Experiment<OrderingOptions> = {
  summary:
    'what searchers gain when pages are fetched in the order of each policy (impact against share fetched)',
  example:
    'ordering --archive modelweb --setting sample,frontier --queries half --splits 2 \\\n    --out out.json --report report.html',
  addFlags,
  prepare,
}

const SETTINGS = ['sample', 'frontier', 'all'] as const

function addFlags(command: Command): void {
  addOrderingFlags(command)
  command
    .option(
      '--setting <names>',
      `what is crawled at the start: ${SETTINGS.join(', ')} (default: all)`,
    )
    .option('--batch <share>', 'of a frontier: the share fetched between two plans', share, 0.01)
    .option('--until <share>', 'of a frontier: the share fetched in all', share, 0.3)
}

/** Reads a share above 0 and up to 1. */
function share(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= 1))
    throw new InvalidArgumentError('It must be a share above 0 and up to 1, such as 0.01.')
  return value
}

/** One curve to be made: which pages are missing at the start, who is asked, and who judges. */
interface Case {
  readonly setting: 'sample' | 'frontier'
  /** Of a sample; a frontier has none. */
  readonly dataset: 1 | 2 | null
  readonly queries: SplitKind
  readonly split: number
  readonly name: string
  readonly policy: OrderingPolicy
}

async function prepare(options: OrderingOptions): Promise<ExperimentRun> {
  const cases = casesOf(await orderingPlan(options), options)
  const archives = await shelve(options.archive)
  for (const archive of archives) snapshotAt(archive, options.at)
  const read = onePerArchive((archive) => readOrderingArchive(archive, options))
  const settings = new Settings(options.seed)
  const curveStep = (shelved: ShelvedArchive, one: Case): ExperimentStep => {
    const { policy, name, ...place } = one
    const where = { archive: shelved.id, ...place, policy: name }
    return {
      name: Object.values(where)
        .filter((part) => part !== null)
        .join(' '),
      run: async () => {
        const archive = await read(shelved)
        const setup = {
          ...archive,
          setting: await settings.of(archive, one),
          split: splitQueries(
            archive.truth.queries,
            one.queries,
            randomOf(options.seed, one.split).queries,
          ),
          policy,
          seed: options.seed + one.split,
          ...paperFlags(options),
        }
        const curve =
          one.setting === 'sample'
            ? runSample(setup)
            : await runFrontier(setup, { batchShare: options.batch, until: options.until })
        return { found: { ...where, ...curve } satisfies FoundCurve }
      },
    }
  }
  const importanceStep = (shelved: ShelvedArchive): ExperimentStep => ({
    name: `${shelved.id} importance`,
    run: async () => {
      const { truth, importance } = await read(shelved)
      const rows = importanceAndImpact(truth, importance, options.k)
      return { found: { archive: shelved.id, importance: rows } satisfies FoundImportance }
    },
  })
  return {
    steps: archives.flatMap((shelved) => [
      importanceStep(shelved),
      ...cases.map((one) => curveStep(shelved, one)),
    ]),
    present: (found) =>
      presentOrdering(
        found as (FoundCurve | FoundImportance)[],
        archives.map(({ id }) => id),
        options,
      ),
  }
}

/** Every combination; those that share their pages in a row. */
function casesOf(plan: OrderingPlan, options: OrderingOptions): Case[] {
  const names = chosen('--setting', options.setting, SETTINGS, 'all')
  const has = (name: 'sample' | 'frontier') => names.includes(name) || names.includes('all')
  const places = [
    ...(has('sample')
      ? plan.datasets.map((dataset) => ({ setting: 'sample', dataset }) as const)
      : []),
    ...(has('frontier') ? [{ setting: 'frontier', dataset: null } as const] : []),
  ]
  return places.flatMap((place) =>
    plan.splits.flatMap((split) =>
      plan.kinds.flatMap((queries) =>
        plan.policies.map((named) => ({ ...place, split, queries, ...named })),
      ),
    ),
  )
}

/** Makes settings; that of a sample is used again by the next case on the same pages. */
class Settings {
  readonly #seed: number
  #latest:
    | { readonly archive: OrderingArchive; readonly key: string; made: Promise<OrderingSetting> }
    | undefined

  constructor(seed: number) {
    this.#seed = seed
  }

  of(archive: OrderingArchive, { dataset, split }: Case): Promise<OrderingSetting> {
    if (dataset === null) {
      this.#latest = undefined
      return frontierSetting(archive.truth) // used up by the run
    }
    const key = `${dataset} ${split}`
    if (this.#latest?.archive !== archive || this.#latest.key !== key) {
      this.#latest = undefined
      const random = randomOf(this.#seed, split)
      const made = sampleSetting(archive.truth, archive.importance, dataset, random.pages)
      this.#latest = { archive, key, made }
    }
    return this.#latest.made
  }
}
