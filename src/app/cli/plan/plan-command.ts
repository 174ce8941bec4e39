import type { Command } from 'commander'
import { planCycle } from '#crawl/cycle.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { crawlPolicy, goesByIndex } from '#library/open/crawl-policy.ts'
import { noCrawlIn, openExistingCrawl } from '#library/open/open-crawl.ts'
import { readPolicyFiles } from '#library/open/policy-file.ts'
import { planAgain } from '#library/plan/plan-again.ts'
import { planRules } from '#library/plan/plan-rules.ts'
import { PURPOSES } from '#policy/bids.ts'
import type { PlannedFetch } from '#policy/budget/scheduler.ts'
import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { type Composition, predictsQuality, spendsOnCopies } from '#policy/planning/composition.ts'
import { policyNamed } from '#policy/registry/policy-name.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, type ReadSettings, settingsOf } from '../settings/setting-flags.ts'
import { type Output, outputFor, shortNumber, table } from '../terminal/output.ts'
import { noteArchiveTime } from '../words/archive-time.ts'
import { noteWithoutCopies, policyInForce } from '../words/policy-in-force.ts'
import { TASK_NAMES } from '../words/spending-text.ts'

interface PlanOptions {
  /** How many fetches to plan; not what the crawl may cost in all. */
  budget: number
  /** The cycle whose plan is to be made again. */
  at?: number
  json?: boolean
}

/** The flags of `forager plan`, and what it does. */
export function definePlan(command: Command): void {
  addSettings(command, [
    'policy',
    'policyFile',
    'needyShare',
    'dir',
    'perHost',
    'perDomain',
    'maxPagesPerHost',
    'maxPagesPerDomain',
    'refreshAfter',
    'freshFor',
    'randomShare',
    'seed',
  ])
    .option('--budget <n>', 'how many fetches to plan', wholeNumber(1), 20)
    .option('--at <cycle>', 'make the plan of a past cycle again, from the log', wholeNumber(1))
    .option('--json', 'print the plan as JSON')
    .addHelpText(
      'after',
      `
A bid adds up what a new page, a fresher copy and new links are worth, as if there were no more fetches than
--budget; the price is what the last fetch that the crawl could afford was worth. Where an archive was crawled,
its time counts, not today's. With --at it is the plan of a past cycle, as it was made then: policy and settings are
those of its run.

Examples:
  forager plan
  forager plan --policy split:70/20/10
  forager plan --policy indegree --budget 100 --json
  forager plan --at 12`,
    )
    .action((options: PlanOptions, command: Command) => runPlan(options, settingsOf(command)))
}

async function runPlan(options: PlanOptions, read: ReadSettings): Promise<void> {
  const output = outputFor(options)
  const { dir } = read.settings
  const bidders = await readPolicyFiles(read.settings.policyFile, output.note)
  const { registry } = bidders
  if (options.at !== undefined) return showPlanOf(options.at, dir, output, registry)
  const needsIndex = bidders.own.length > 0 || goesByIndex(read.settings.policy)
  const opened = await openExistingCrawl(dir, Date.now() / 1000, needsIndex)
  const { store, state, now } = opened
  try {
    noteArchiveTime(opened, output)
    const settings = { ...read.settings, policy: policyInForce(read, opened, output, bidders) }
    noteWithoutCopies(settings.policy, opened, output, bidders)
    const policy = await crawlPolicy(settings.policy, opened, now, { ...settings, registry })
    await policy.renew()
    const rules = { policy, ...planRules(settings) }
    const priceBefore = await store.lastPrice()
    const plan = planCycle(state, rules, { budget: options.budget }, now)
    const hasParts = policy instanceof BudgetPlanner
    // What the crawl's own budget made of it, if it has planned so before.
    const price = plan.price === undefined ? undefined : (priceBefore ?? plan.price)
    const planned = {
      ...{ policy: settings.policy, dir, at: now },
      ...(price !== undefined && { price }),
      fetches: shownFetches(plan.fetches, state.frontier),
    }
    output.result(planned, () =>
      planText(planned, hasParts, policyNamed(settings.policy, registry)),
    )
  } finally {
    store.close()
  }
}

/** The plan of a past cycle, as it was made then. */
async function showPlanOf(
  cycle: number,
  dir: string,
  output: Output,
  registry: Registry,
): Promise<void> {
  if (!holdsCrawl(dir)) throw noCrawlIn(dir)
  const { plan, entry, settings, state } = await planAgain(dir, cycle, registry)
  const planned = {
    ...{ policy: settings.policy, dir, at: entry.at, cycle },
    ...(plan.price !== undefined && { price: plan.price }),
    fetches: shownFetches(plan.fetches, state.frontier),
  }
  const composition = policyNamed(settings.policy, registry)
  output.result(planned, () => planText(planned, spendsOnCopies(composition), composition))
}

function shownFetches(fetches: readonly PlannedFetch[], { urls }: Frontier): ShownPlan['fetches'] {
  return fetches.map((fetch) => ({
    url: urls.urlOf(fetch.url),
    purpose: fetch.purpose,
    bid: fetch.gain,
    parts: fetch.parts,
    expected: fetch.expected,
    ...(fetch.probability !== undefined && { probability: fetch.probability }),
    why: fetch.why(),
  }))
}

/** What `forager plan --json` prints; `expected` is the quality to be gained at once. */
interface ShownPlan {
  readonly policy: string
  readonly dir: string
  /** The time it is made for: now, or that of the archive. */
  readonly at: number
  /** Of a plan that was made again. */
  readonly cycle?: number
  readonly price?: number
  readonly fetches: readonly (Pick<
    PlannedFetch,
    'purpose' | 'parts' | 'expected' | 'probability'
  > & {
    readonly url: string
    readonly bid: number
    readonly why: string
  })[]
}

function planText(
  { fetches, price, dir }: ShownPlan,
  hasParts: boolean,
  composition: Composition,
): string {
  if (fetches.length === 0) return `nothing left to fetch in ${dir}`
  if (!hasParts)
    return table(
      ['bid', 'purpose', 'url', 'why'],
      fetches.map(({ bid, purpose, url, why }) => [bid, purpose, url, why]),
    )
  const header = ['bid', ...PURPOSES.map((task) => TASK_NAMES[task]), 'expected', 'url', 'why']
  const drawn = (probability: number | undefined) =>
    probability === undefined ? '' : `by lot, ${(100 * probability).toPrecision(2)} %; `
  const rows = fetches.map(({ bid, parts, expected, url, why, probability }) => [
    ...[bid, ...PURPOSES.map((task) => parts[task]), expected],
    ...[url, `${drawn(probability)}${why}`],
  ])
  return [
    table(header, rows),
    '',
    currencyText(composition),
    ...(price === undefined
      ? []
      : [`price: ${shortNumber(price)}, what the last fetch that the budget affords is worth`]),
  ].join('\n')
}

/** In which unit bids are, and how they come from their parts. */
function currencyText(composition: Composition): string {
  if (!predictsQuality(composition))
    return 'bid: the part that the fetch is for, as its bidder counts; columns cannot be compared'
  const what = composition.shares ? 'the part that the fetch is for' : 'what the fetch is worth'
  return `bid: ${what}, quality × days; expected: quality at once`
}
