import { checkBudgetPolicy, USUAL_BUDGETS } from '#lab/budget/budget-policies.ts'
import { QUERY_KINDS } from '#lab/budget/query-kinds.ts'
import { calibrationsOf } from '#lab/experiments/budget/budget.ts'
import { compareShortfalls } from '#lab/experiments/budget/budget-summary.ts'
import { LEFT_OUT_POLICIES, leftOutBudgets } from '#lab/experiments/budget/left-out.ts'
import { PURPOSES } from '#policy/bids.ts'
import { commaList } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'
import { weeklySeconds } from '../running/archive-shelf.ts'
import { defineExperiment } from '../running/define-experiment.ts'
import {
  chosen,
  listFlag,
  percentsFlag,
  sitemapsFlag,
  switchFlag,
  wholeFlag,
} from '../running/flags.ts'
import { type ComparedPolicies, policiesFlag } from '../running/own-policies.ts'
import { readBudgetBench } from './budget-archive.ts'
import { type BudgetFound, budgetViews } from './budget-views.ts'

const INTRO = `A crawler begins with some of the pages and spends a weekly budget, by the real crawl in virtual time, while pages come, change and go.
Quality is what searchers get from its copies, of what they would get if every page were held and current (mean of just before
and just after the weekly fetches); the shortfall is what is missing from 1. All policies have the same estimators, and
go by the queries the crawler knows; quality is judged by others: "repeated" are two samples of the same searches, "disjoint"
share no query, "later" are about pages that come after the start. The first fetches take
URLs that are known at random, the same for all, until so many pages are held. Crawls stay on the hosts that were recorded: elsewhere there is nothing to find. Ratios below 1 say that one budget falls less short. "unified+values", "+losses" and "+yields" have one
estimate replaced by the truth; "+contents" knows what pages not fetched say, but not what will be asked.`

interface Compared {
  readonly policies: ComparedPolicies
  readonly leaveOneOut: boolean
}

const namesOf = ({ policies: { names, areUsual }, leaveOneOut }: Compared) =>
  leaveOneOut && areUsual ? LEFT_OUT_POLICIES : names

export const budgetExperiment = defineExperiment<BudgetFound>()({
  name: 'budget',
  summary:
    'one budget for new pages, copies and links against fixed shares (quality over time on a growing, changing web)',
  example:
    'budget --archive modelweb --start 20 --budgets 2,5 --policies unified,split:70/20/10 \\\n    --out out.json --report report.html',
  flags: {
    start: percentsFlag('per cent of the pages held at the start, as in 20,80', '20'),
    budgets: percentsFlag('fetches a week, in per cent of the pages there are', '1,2,5,10'),
    queries: listFlag(
      'kinds',
      `how the judging queries differ from those the crawler knows: ${QUERY_KINDS.join(', ')}`,
      (text, flag) => chosen(flag, text, QUERY_KINDS),
      QUERY_KINDS.join(','),
    ),
    splits: wholeFlag('number', 'samples of the queries', [1], 5),
    policies: policiesFlag({
      usual: USUAL_BUDGETS,
      tasks: PURPOSES,
      words: `of ${USUAL_BUDGETS.join(', ')}, or any other policy (default: all of these)`,
      check: checkBudgetPolicy,
    }),
    mostQueries: wholeFlag('number', 'queries used of an archive at most', [20], 400),
    fixedOn: listFlag(
      'archives',
      'archives that constants were fixed on: shown, but not counted in the summary',
      (text = '') => commaList(text),
      '',
    ),
    sitemaps: sitemapsFlag,
    leaveOneOut: switchFlag(
      'compare unified, on each archive, with the one of 70/20/10, 97/2/1 and 90/5/5 that the other archives would choose',
    ),
  },
  leastSnapshots: 4,
  check: ({ fixedOn, leaveOneOut }, archives) => {
    if (leaveOneOut && archives.length < 2)
      throw new UsageError('--leave-one-out needs two archives at least: name more by --archive')
    const stranger = fixedOn.find((id) => !archives.some((archive) => archive.id === id))
    if (stranger !== undefined)
      throw new UsageError(`--fixed-on names "${stranger}", which is none of the archives`)
  },
  seconds: ({ start, budgets, queries, splits, ...compared }, archives) => {
    const cases = [start, namesOf(compared), budgets, queries].map(({ length }) => length)
    return weeklySeconds(
      archives,
      cases.reduce((product, length) => product * length, splits),
    )
  },
  open: (shelved, { mostQueries, seed, policies: { registry }, sitemaps }) =>
    readBudgetBench(shelved, mostQueries, { seed, registry, sitemaps }),
  trials: ({ start, queries, budgets, splits, ...compared }, trialsOf) => [
    ...trialsOf({}, ({ bench, isMadeUp: madeUp }) => {
      const { archivePages, weeks } = bench.truth.pages
      const site = { pages: archivePages.length, weeks, queries: bench.queries.length, madeUp }
      return { tables: { sites: [site] } }
    }),
    ...trialsOf(
      {
        start,
        policy: namesOf(compared),
        queries,
        budget: budgets,
        split: Array.from({ length: splits }, (_, i) => i + 1),
      },
      async ({ bench }, one) => {
        const { weeks, ...found } = await bench.crawl(one)
        // The report shows weeks of the first kind of queries only.
        return { tables: { ...found, weeks: one.queries === queries[0] ? weeks : [] } }
      },
    ),
  ],
  derive: ({ rows, values }, { seed, fixedOn, leaveOneOut }) => ({
    calibrations: calibrationsOf(values),
    summary: leaveOneOut ? [] : compareShortfalls(rows, seed, fixedOn),
    leftOut: leaveOneOut ? leftOutBudgets(rows, seed) : [],
  }),
  asked: ({ fixedOn, sitemaps }) => ({ fixedOn, sitemaps }),
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
