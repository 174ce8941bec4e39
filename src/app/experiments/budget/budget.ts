import { checkBudgetPolicy, USUAL_BUDGETS } from '#lab/budget/budget-policies.ts'
import { QUERY_KINDS } from '#lab/budget/query-kinds.ts'
import { calibrationsOf } from '#lab/experiments/budget/budget.ts'
import { compareShortfalls } from '#lab/experiments/budget/budget-summary.ts'
import { PURPOSES } from '#policy/bids.ts'
import { commaList, wholeNumber } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'
import { onePerArchive, weeklySeconds } from '../running/archive-shelf.ts'
import { defineExperiment, trialsOf } from '../running/define-experiment.ts'
import type { CommonOptions } from '../running/experiment.ts'
import { chosen, percents, type Sitemaps, sitemapsFlag } from '../running/flags.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from '../running/own-policies.ts'
import { readBudgetBench } from './budget-archive.ts'
import { type BudgetFound, budgetViews } from './budget-views.ts'

interface BudgetOptions extends CommonOptions, PolicyFlags {
  readonly start: string
  readonly budgets: string
  readonly queries: string
  readonly splits: number
  readonly mostQueries: number
  readonly fixedOn: string
  readonly sitemaps: Sitemaps
}

const INTRO = `A crawler begins with some of the pages and spends a weekly budget, by the real crawl in virtual time, while pages come, change and go.
Quality is what searchers get from its copies, of what they would get if every page were held and current (mean of just before
and just after the weekly fetches); the shortfall is what is missing from 1. All policies have the same estimators, and
go by the queries the crawler knows; quality is judged by others: "repeated" are two samples of the same searches, "disjoint"
share no query, "later" are about pages that come after the start. The first fetches take
URLs that are known at random, the same for all. Ratios below 1 say that one budget falls less short. "unified+values", "+losses" and "+yields" have one
estimate replaced by the truth; "+contents" knows what pages not fetched say, but not what will be asked.`

export const budgetExperiment = defineExperiment<BudgetOptions, BudgetFound>({
  name: 'budget',
  summary:
    'one budget for new pages, copies and links against fixed shares (quality over time on a growing, changing web)',
  example:
    'budget --archive modelweb --start 20 --budgets 2,5 --policies unified,split:70/20/10 \\\n    --out out.json --report report.html',
  addFlags: (command) =>
    command
      .option('--start <shares>', 'per cent of the pages held at the start, as in 20,80', '20')
      .option(
        '--budgets <shares>',
        'fetches a week, in per cent of the pages there are',
        '1,2,5,10',
      )
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
      .addOption(sitemapsFlag()),
  leastSnapshots: 4,
  plan: async (options, archives) => {
    const { seed, splits, sitemaps } = options
    const starts = percents('--start', options.start)
    const budgets = percents('--budgets', options.budgets)
    const kinds = chosen('--queries', options.queries, QUERY_KINDS)
    const use = { tasks: PURPOSES }
    const { registry, names } = await comparedPolicies(options, USUAL_BUDGETS, use)
    for (const name of names) checkBudgetPolicy(name, registry)
    const split = Array.from({ length: splits }, (_, i) => i + 1)
    const fixedOn = commaList(options.fixedOn)
    const stranger = fixedOn.find((id) => !archives.some((archive) => archive.id === id))
    if (stranger !== undefined)
      throw new UsageError(`--fixed-on names "${stranger}", which is none of the archives`)
    const benchOf = onePerArchive((shelved) =>
      readBudgetBench(shelved, options.mostQueries, { seed, registry, sitemaps }),
    )
    return {
      asked: { fixedOn, sitemaps },
      seconds: weeklySeconds(
        archives,
        starts.length * names.length * budgets.length * kinds.length * splits,
      ),
      trials: archives.flatMap((archive) => [
        ...trialsOf({ archive: [archive] }, async () => {
          const { bench, isMadeUp: madeUp } = await benchOf(archive)
          const { archivePages, weeks } = bench.truth.pages
          const site = { pages: archivePages.length, weeks, queries: bench.queries.length, madeUp }
          return { tables: { sites: [site] } }
        }),
        ...trialsOf(
          {
            archive: [archive],
            start: starts,
            policy: names,
            queries: kinds,
            budget: budgets,
            split,
          },
          async ({ archive, ...one }) => {
            const { bench } = await benchOf(archive)
            const { weeks, ...found } = await bench.crawl(one)
            // The report shows weeks of the first kind of queries only.
            return { tables: { ...found, weeks: one.queries === kinds[0] ? weeks : [] } }
          },
        ),
      ]),
      derive: ({ rows, values }) => ({
        calibrations: calibrationsOf(values),
        summary: compareShortfalls(rows, seed, fixedOn),
      }),
    }
  },
  keys: ['archive', 'policy', 'start', 'budget', 'queries', 'split'],
  drawnOnly: ['weeks', 'values'],
  title: 'One budget: new pages, copies and links',
  intro: ({ sites }) => {
    const madeUp = sites.filter((site) => site.madeUp).map(({ archive }) => archive)
    if (madeUp.length === 0) return INTRO
    return `${INTRO} Synthetic queries, from titles and anchors: ${madeUp.join(', ')}.`
  },
  views: budgetViews,
})
