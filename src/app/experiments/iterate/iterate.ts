import type { Command } from 'commander'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { type IterateResult, runIterate } from '#lab/experiments/selection/iterate.ts'
import { wholeNumber, wholeNumbers } from '../../cli/settings/options.ts'
import {
  onePerArchive,
  readWhole,
  type ShelvedArchive,
  shelve,
  snapshotAt,
} from '../running/archive-shelf.ts'
import type {
  CommonOptions,
  Experiment,
  ExperimentRun,
  ExperimentStep,
} from '../running/experiment.ts'
import { addPolicyFlags, recipesFrom, selectionNames } from '../selection/selection.ts'
import { presentIterate } from './iterate-report.ts'

interface IterateOptions extends CommonOptions {
  readonly policies?: string
  readonly policyFile?: readonly string[]
  readonly sizes?: string
  readonly iterations: number
  readonly at?: number
}

/** The paper's three, and the union it found best. */
const USUAL = ['pagerank', 'indegree', 'td-indegree', 'pagerank+td2']
/** The size when none is named: this share of the pages live. */
const SHARE = 0.1

export const iterateExperiment: Experiment<IterateOptions> = {
  summary:
    'what becomes of a corpus that each policy selects anew from its own links, generation after generation',
  example:
    'iterate --archive modelweb --policies pagerank,indegree,td-indegree --sizes 5000 \\\n    --out iterate.json --report iterate.html',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  addPolicyFlags(command)
  command
    .option('--sizes <numbers>', 'pages of a corpus, separated by commas (default: a tenth of all)')
    .option('--iterations <n>', 'selections after the breadth-first crawl', wholeNumber(1), 4)
    .option('--at <snapshot>', 'which snapshot (default: the last)', wholeNumber(0))
    .addHelpText('after', selectionNames)
}

async function prepare(options: IterateOptions): Promise<ExperimentRun> {
  const recipes = await recipesFrom(options, USUAL)
  const archives = await shelve(options.archive)
  const sizes = options.sizes === undefined ? undefined : wholeNumbers('--sizes', options.sizes)
  const webOf = onePerArchive(async (archive: ShelvedArchive) => {
    const { archive: recorded, workload } = await readWhole(archive, { text: false })
    return { web: new RecordedWeb(recorded, snapshotAt(archive, options.at)), workload }
  })
  const step = (archive: ShelvedArchive, size: number | undefined): ExperimentStep => ({
    name: `${archive.id} ${size ?? 'usual size'}`,
    run: async () => {
      const { web, workload } = await webOf(archive)
      const live = web.archive.livePages(web.snapshot).length
      const { iterations, seed } = options
      const result = runIterate({
        web,
        workload,
        recipes,
        size: size ?? Math.max(1, Math.round(SHARE * live)),
        iterations,
        seed,
      })
      return { found: { archive: archive.id, result } satisfies IterateFound }
    },
  })
  for (const archive of archives) snapshotAt(archive, options.at)
  return {
    steps: archives.flatMap((archive) => (sizes ?? [undefined]).map((size) => step(archive, size))),
    present: (found) => presentIterate(archives, found as IterateFound[], options.seed),
  }
}

/** What one step finds: all policies on one archive at one size. */
export interface IterateFound {
  readonly archive: string
  readonly result: IterateResult
}
