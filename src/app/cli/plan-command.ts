import type { Command } from 'commander'
import { planCycle } from '#crawl/cycle.ts'
import { crawlPolicy, readsQueries } from './crawl-policy.ts'
import { openExistingCrawl } from './open-crawl.ts'
import { wholeNumber } from './options.ts'
import { outputFor, table } from './output.ts'
import { addSettings, settingsOf } from './setting-flags.ts'
import type { Settings } from './settings.ts'

interface PlanOptions {
  /** How many fetches to plan; not what the crawl may cost in all. */
  budget: number
  json?: boolean
}

export function addPlanCommand(program: Command): void {
  addSettings(program.command('plan'), [
    'policy',
    'needyShare',
    'dir',
    'perHost',
    'perDomain',
    'maxPagesPerHost',
    'maxPagesPerDomain',
    'seed',
  ])
    .description('show the next fetches and why, and fetch nothing')
    .option('--budget <n>', 'how many fetches to plan', wholeNumber(1), 20)
    .option('--json', 'print the plan as JSON')
    .addHelpText(
      'after',
      `
Examples:
  forager plan
  forager plan --policy indegree --budget 100 --json`,
    )
    .action((options: PlanOptions, command: Command) =>
      runPlan(options, settingsOf(command).settings),
    )
}

async function runPlan(options: PlanOptions, settings: Settings): Promise<void> {
  const output = outputFor(options)
  const { dir, perHost, perDomain, seed } = settings
  const now = Date.now() / 1000
  const opened = await openExistingCrawl(dir, now, readsQueries(settings.policy))
  const { store, state, scope } = opened
  try {
    const policy = await crawlPolicy(settings.policy, opened, now, settings)
    if (typeof policy !== 'function') await policy.renew()
    const rules = {
      policy,
      scope,
      perHost,
      perDomain,
      maxPerHost: settings.maxPagesPerHost,
      maxPerDomain: settings.maxPagesPerDomain,
      seed,
    }
    const { fetches: plan } = planCycle(state, rules, { budget: options.budget }, now)
    const fetches = plan.map(({ url, purpose, gain, why }) => ({
      url: state.frontier.urls.urlOf(url),
      purpose,
      gain,
      why: why(),
    }))
    output.result({ policy: settings.policy, dir, fetches }, () =>
      fetches.length === 0
        ? `nothing left to fetch in ${dir}`
        : table(
            ['gain', 'purpose', 'url', 'why'],
            fetches.map(({ gain, purpose, url, why }) => [gain, purpose, url, why]),
          ),
    )
  } finally {
    store.close()
  }
}
