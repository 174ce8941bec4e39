import type { Command } from 'commander'
import {
  impactBySketches,
  type LearntImprovability,
  learntImprovability,
  type SketchRow,
} from '#lab/experiments/ordering/neediness.ts'
import { sampleSetting } from '#lab/experiments/ordering/ordering-settings.ts'
import { type SplitKind, splitQueries } from '#lab/judging/query-split.ts'
import { lineChart } from '#lab/report/line-chart.ts'
import { commaList } from '../cli/settings/options.ts'
import { UsageError } from '../text/usage-error.ts'
import {
  addOrderingFlags,
  type OrderingFlags,
  orderingPlan,
  randomOf,
  readOrderingArchive,
} from './ordering/ordering-archive.ts'
import { onePerArchive, type ShelvedArchive, shelve, snapshotAt } from './running/archive-shelf.ts'
import type { Experiment, ExperimentRun, ExperimentStep, Findings } from './running/experiment.ts'

interface NeedinessOptions extends OrderingFlags {
  readonly shares?: string
}

/** Sketches kept, and pages fetched, as shares of all. */
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
const BUDGETS = [0.01, 0.03, 0.1, 0.2, 0.5]
/** Fetched to see which queries improve. */
const IMPROVING_BUDGET = 0.1

export const needinessExperiment: Experiment<NeedinessOptions> = {
  summary: 'which queries fetching can improve, and how few of them an order needs to look at',
  example: 'neediness --archive modelweb --queries log --out out.json --report report.html',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  addOrderingFlags(command)
  command.option('--shares <numbers>', `sketches kept (default: ${SHARES.join(',')})`)
}

/** Rows of one policy in one place. */
interface Found {
  readonly archive: string
  readonly dataset: 1 | 2
  readonly queries: SplitKind
  readonly split: number
  readonly policy: string
  readonly improvability: LearntImprovability
  readonly rows: readonly SketchRow[]
}

async function prepare(options: NeedinessOptions): Promise<ExperimentRun> {
  const shares = sharesOf(options.shares)
  const plan = await orderingPlan(options, ({ usesQueries }) => usesQueries === true)
  const blind = plan.policies.find(({ policy }) => !policy.usesQueries)
  if (blind) throw new UsageError(`--policies: ${blind.name} looks at no queries; leave it out`)
  const archives = await shelve(options.archive)
  for (const archive of archives) snapshotAt(archive, options.at)
  const read = onePerArchive((archive) => readOrderingArchive(archive, options))
  const cases = plan.datasets.flatMap((dataset) =>
    plan.splits.flatMap((split) =>
      plan.kinds.flatMap((queries) =>
        plan.policies.map((named) => ({ dataset, split, queries, ...named })),
      ),
    ),
  )
  const step = (shelved: ShelvedArchive, one: (typeof cases)[number]): ExperimentStep => {
    const { name, policy, ...place } = one
    const where = { archive: shelved.id, ...place, policy: name }
    return {
      name: Object.values(where).join(' '),
      run: async () => {
        const archive = await read(shelved)
        const random = randomOf(options.seed, one.split)
        const { truth, importance } = archive
        const setup = {
          ...archive,
          setting: await sampleSetting(truth, importance, one.dataset, random.pages),
          split: splitQueries(truth.queries, one.queries, random.queries),
          policy,
          seed: options.seed + one.split,
          k: options.k,
        }
        const rows = impactBySketches(setup, shares, BUDGETS)
        const improvability = await learntImprovability(setup, IMPROVING_BUDGET)
        return { found: { ...where, improvability, rows } satisfies Found }
      },
    }
  }
  return {
    steps: archives.flatMap((shelved) => cases.map((one) => step(shelved, one))),
    present: (found) =>
      present(
        found as Found[],
        archives.map(({ id }) => id),
        options.seed,
      ),
  }
}

function sharesOf(text: string | undefined): number[] {
  if (text === undefined) return SHARES
  const shares = commaList(text).map(Number)
  if (shares.length === 0 || !shares.every((share) => share > 0 && share <= 1))
    throw new UsageError(`--shares takes shares above 0 and up to 1, as in 0.05,1, not "${text}"`)
  // What is kept is told relative to all sketches.
  return [...new Set([...shares, 1])].sort((a, b) => a - b)
}

function present(found: readonly Found[], archives: readonly string[], seed: number): Findings {
  const titleOf = ({ archive, dataset, queries, split, policy }: Found) =>
    `${archive}, sample ${dataset}, queries: ${queries}, split ${split}, ${policy}`
  return {
    result: {
      experiment: 'neediness',
      archive: archives.length > 1 ? archives : archives[0],
      seed,
      keys: ['archive', 'dataset', 'queries', 'split', 'policy', 'share', 'fraction'],
      rows: found.flatMap(({ rows, improvability: _, ...where }) =>
        rows.map((row) => ({ ...where, ...row, kept: keptOf(row, rows) })),
      ),
      improvability: found.map(({ rows: _, ...rest }) => rest),
    } as Findings['result'],
    title: 'Neediness: which queries fetching can improve',
    intro:
      'First, how many new top results queries get from fetching a tenth of the missing pages, by the average score of their answers before: learnt from the training queries, measured on the test queries. Then what is left of the impact on the test queries when the policy may look at the neediest training queries only.',
    charts: found.flatMap((one) => [
      improvabilityChart(titleOf(one), one.improvability),
      sketchChart(titleOf(one), one.rows),
    ]),
    tables: found.flatMap((one) => [
      {
        caption: `${titleOf(one)}: new top results (fit: ${one.improvability.form}; squared error ${one.improvability.error.toFixed(3)}, of the mean ${one.improvability.errorOfMean.toFixed(3)})`,
        header: ['queries', 'average score', 'predicted', 'training', 'test'],
        rows: one.improvability.buckets.map((bucket) => [
          bucket.queries,
          bucket.averageScore,
          bucket.predicted,
          bucket.training ?? '–',
          bucket.test,
        ]),
      },
      {
        caption: `${titleOf(one)}: impact by share of the sketches`,
        header: ['sketches', 'fetched', 'impact', 'of that with all'],
        rows: one.rows.map((row) => [
          row.share,
          row.fraction,
          row.impact,
          keptOf(row, one.rows) ?? '–',
        ]),
      },
    ]),
    archives,
  }
}

/** Impact relative to that with all sketches, at the same budget. */
function keptOf({ fraction, impact }: SketchRow, rows: readonly SketchRow[]): number | null {
  const whole = rows.find((row) => row.share === 1 && row.fraction === fraction)
  return whole && whole.impact > 0 ? impact / whole.impact : null
}

function improvabilityChart(title: string, { buckets }: LearntImprovability): string {
  return lineChart(
    [
      { name: 'learnt', points: buckets.map((b) => [b.averageScore, b.predicted] as const) },
      { name: 'test queries', points: buckets.map((b) => [b.averageScore, b.test] as const) },
    ],
    { title, xLabel: 'average score of the top results before', yLabel: 'new top results' },
  )
}

function sketchChart(title: string, rows: readonly SketchRow[]): string {
  const budgets = [...new Set(rows.map(({ fraction }) => fraction))]
  return lineChart(
    budgets.map((budget) => ({
      name: `${budget} fetched`,
      points: rows
        .filter(({ fraction }) => fraction === budget)
        .map(({ share, impact }) => [share, impact] as const),
    })),
    {
      title,
      xLabel: 'share of the sketches kept (logarithmic)',
      yLabel: 'share of the impact fetched',
      logX: true,
    },
  )
}
