import type { Command } from 'commander'
import { checkBudgetPolicy, USUAL_BUDGETS } from '#lab/budget/budget-policies.ts'
import { QUERY_KINDS, type QueryKind } from '#lab/budget/query-shares.ts'
import { BudgetBench, type BudgetFindings } from '#lab/experiments/budget/budget.ts'
import { PURPOSES } from '#policy/bids.ts'
import { commaList, wholeNumber } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'
import { onePerArchive, type ShelvedArchive, shelve } from '../running/archive-shelf.ts'
import type {
  CommonOptions,
  Experiment,
  ExperimentRun,
  ExperimentStep,
} from '../running/experiment.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from '../running/own-policies.ts'
import { readBudgetWorld } from './budget-archive.ts'
import { presentBudget } from './budget-report.ts'

interface BudgetOptions extends CommonOptions, PolicyFlags {
  readonly start: string
  readonly budgets: string
  readonly queries: string
  readonly splits: number
  readonly mostQueries: number
  readonly fixedOn: string
}

/** What one step finds: one policy from one start on one archive. */
export interface BudgetFound extends BudgetFindings {
  readonly archive: string
  readonly pages: number
  readonly weeks: number
  readonly queryCount: number
  /** True if nobody asked the queries. */
  readonly isMadeUp: boolean
}

export const budgetExperiment: Experiment<BudgetOptions> = {
  summary:
    'one budget for new pages, copies and links against fixed shares (quality over time on a growing, changing web)',
  example:
    'budget --archive modelweb --start 20 --budgets 2,5 --policies unified,split:70/20/10 \\\n    --out out.json --report report.html',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  command
    .option('--start <shares>', 'per cent of the pages held at the start, as in 20,80', '20')
    .option('--budgets <shares>', 'fetches a week, in per cent of the pages there are', '1,2,5,10')
    .option(
      '--queries <kinds>',
      `how the judging queries differ from those the crawler knows: ${QUERY_KINDS.join(', ')}`,
      QUERY_KINDS.join(','),
    )
    .option('--splits <number>', 'samples of the queries', wholeNumber(1), 5)
    .option(
      '--policies <names>',
      `of ${USUAL_BUDGETS.join(', ')}, or any other policy (default: all of these)`,
    )
    .addOption(policyFileFlag())
    .option('--most-queries <number>', 'queries used of an archive at most', wholeNumber(20), 400)
    .option(
      '--fixed-on <archives>',
      'archives that constants were fixed on: shown, but not counted in the summary',
      '',
    )
}

async function prepare(options: BudgetOptions): Promise<ExperimentRun> {
  const starts = percents('--start', options.start)
  const budgets = percents('--budgets', options.budgets)
  const kinds = kindsOf(options.queries)
  const use = { tasks: PURPOSES }
  const { registry, names: policies } = await comparedPolicies(options, USUAL_BUDGETS, use)
  for (const name of policies) checkBudgetPolicy(name, registry)
  const archives = await shelve(options.archive)
  for (const { dir, snapshots } of archives)
    if (snapshots < 4)
      throw new UsageError(`${dir} has ${snapshots} snapshots; spending a budget needs 4 or more`)
  const fixedOn = commaList(options.fixedOn)
  const stranger = fixedOn.find((id) => !archives.some((archive) => archive.id === id))
  if (stranger !== undefined)
    throw new UsageError(`--fixed-on names "${stranger}", which is none of the archives`)
  const benchOf = onePerArchive(async (shelved) => {
    const { world, isMadeUp } = await readBudgetWorld(shelved, options.mostQueries)
    return { bench: new BudgetBench(world, options.seed, registry), isMadeUp }
  })
  const stepOf = (shelved: ShelvedArchive, start: number, policy: string): ExperimentStep => ({
    name: [shelved.id, start, policy].join(' '),
    run: async () => {
      const { bench, isMadeUp } = await benchOf(shelved)
      const { world } = bench
      const found: BudgetFound = {
        archive: shelved.id,
        pages: world.pages.archivePages.length,
        weeks: world.pages.weeks,
        queryCount: world.queries.texts.length,
        isMadeUp,
        ...bench.run({ policy, start, percents: budgets, kinds, splits: options.splits }),
      }
      return { found }
    },
  })
  return {
    steps: archives.flatMap((shelved) =>
      starts.flatMap((start) => policies.map((policy) => stepOf(shelved, start, policy))),
    ),
    present: (found) =>
      presentBudget(found as BudgetFound[], {
        archives: archives.map(({ id }) => id),
        seed: options.seed,
        fixedOn,
      }),
  }
}

function percents(flag: string, text: string): number[] {
  const numbers = commaList(text).map(Number)
  if (numbers.length === 0 || numbers.some((percent) => !(percent > 0 && percent <= 100)))
    throw new UsageError(`${flag} takes per cent of the pages, as in 2,5, not "${text}"`)
  return [...new Set(numbers)]
}

function kindsOf(text: string): QueryKind[] {
  const names = commaList(text)
  const wrong = names.find((name) => !(QUERY_KINDS as readonly string[]).includes(name))
  if (wrong !== undefined || names.length === 0)
    throw new UsageError(`--queries must be of ${QUERY_KINDS.join(', ')}, not "${wrong ?? text}"`)
  return [...new Set(names)] as QueryKind[]
}
