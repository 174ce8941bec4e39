import type { Command } from 'commander'
import {
  impactBySketches,
  type LearntImprovability,
  learntImprovability,
  needinessSplits,
  type SketchRow,
} from '#lab/experiments/ordering/neediness.ts'
import { sampleSetting } from '#lab/experiments/ordering/ordering-settings.ts'
import type { QuerySplit, SplitKind } from '#lab/judging/query-split.ts'
import { lineChart } from '#lab/report/line-chart.ts'
import { commaList } from '../cli/settings/options.ts'
import { UsageError } from '../text/usage-error.ts'
import {
  addOrderingFlags,
  type OrderingFlags,
  orderingPlan,
  paperFlags,
  randomOf,
  readOrderingArchive,
} from './ordering/ordering-archive.ts'
import { onePerArchive, type ShelvedArchive, shelve, snapshotAt } from './running/archive-shelf.ts'
import type { Experiment, ExperimentRun, ExperimentStep, Findings } from './running/experiment.ts'

interface NeedinessOptions extends OrderingFlags {
  readonly shares?: string
  readonly few: number
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
  command
    .option('--shares <numbers>', `sketches kept (default: ${SHARES.join(',')})`)
    .option(
      '--few <share>',
      'the share of the sketches whose whole curve is drawn beside that of all',
      (text) => sharesOf(text)[0],
      0.05,
    )
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
  const shares = sharesOf([options.shares ?? SHARES, options.few].join())
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
        const { truth, importance } = archive
        const { learning, sketching } = needinessSplits(
          truth.queries,
          one.queries,
          randomOf(options.seed, one.split).queries,
        )
        const setupBy = async (split: QuerySplit) => ({
          ...archive,
          ...{ split, policy, seed: options.seed + one.split, ...paperFlags(options) },
          setting: await sampleSetting(
            truth,
            importance,
            one.dataset,
            randomOf(options.seed, one.split).pages,
          ),
        })
        const { improvability, progress } = await learntImprovability(
          await setupBy(learning),
          IMPROVING_BUDGET,
        )
        const rows = impactBySketches({ ...(await setupBy(sketching)), progress }, shares)
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
        options,
      ),
  }
}

function sharesOf(text: string): number[] {
  const shares = commaList(text).map(Number)
  if (shares.length === 0 || !shares.every((share) => share > 0 && share <= 1))
    throw new UsageError(`--shares takes shares above 0 and up to 1, as in 0.05,1, not "${text}"`)
  // What is kept is told relative to all sketches.
  return [...new Set([...shares, 1])].sort((a, b) => a - b)
}

function present(
  found: readonly Found[],
  archives: readonly string[],
  { seed, k, rho, g, few }: NeedinessOptions,
): Findings {
  const titleOf = ({ archive, dataset, queries, split, policy }: Found) =>
    `${archive}, sample ${dataset}, queries: ${queries}, split ${split}, ${policy}`
  return {
    result: {
      experiment: 'neediness',
      archive: archives.length > 1 ? archives : archives[0],
      ...{ seed, k, rho, g },
      keys: ['archive', 'dataset', 'queries', 'split', 'policy', 'share', 'fraction'],
      rows: found.flatMap(({ rows, improvability: _, ...where }) =>
        rows.map((row) => ({ ...where, ...row, kept: keptOf(row, rows) })),
      ),
      improvability: found.map(({ rows: _, ...rest }) => rest),
    } as Findings['result'],
    title: 'Neediness: which queries fetching can improve',
    intro:
      'First, how many new top results queries get from fetching a tenth of the missing pages, by the average score of their answers before: learnt from the training queries, measured on the test queries. Then what is left of the impact when a policy may look at few queries only. Policies of the paper keep the neediest ones, by frequency times the improvability just learnt; impact keeps those asked most. With queries: same, as in the paper, sketches are made of the queries that judge; otherwise of the training queries.',
    charts: found.flatMap((one) => [
      improvabilityChart(titleOf(one), one.improvability),
      sketchChart(titleOf(one), one.rows),
      budgetChart(titleOf(one), one.rows, few),
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
        rows: one.rows
          .filter(isAtBudget)
          .map((row) => [row.share, row.fraction, row.impact, keptOf(row, one.rows) ?? '–']),
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
  return lineChart(
    BUDGETS.map((budget) => ({
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

/** All budgets, with all sketches and with few. */
function budgetChart(title: string, rows: readonly SketchRow[], few: number): string {
  const shares = [1, few].map((share) => ({
    name: share === 1 ? 'all sketches' : `a share of ${share} of the sketches`,
    points: rows
      .filter((row) => row.share === share)
      .map(({ fraction, impact }) => [fraction, impact] as const),
  }))
  return lineChart(shares, {
    title,
    xLabel: 'share of the pages fetched',
    yLabel: 'share of the impact fetched',
  })
}

const isAtBudget = ({ fraction }: SketchRow) => BUDGETS.includes(fraction)
