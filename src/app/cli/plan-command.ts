import type { Command } from 'commander'
import { planCycle } from '#crawl/cycle.ts'
import { policyNamed } from '#policy/policies.ts'
import { DEFAULT_DIR, openExistingCrawl } from './open-crawl.ts'
import { wholeNumber } from './options.ts'
import { outputFor, table } from './output.ts'
import { policyOption } from './policy-option.ts'

interface PlanOptions {
  policy: string
  dir: string
  budget: number
  perHost?: number
  perDomain?: number
  seed: number
  json?: boolean
}

export function addPlanCommand(program: Command): void {
  policyOption(program.command('plan'))
    .description('show the next fetches and why, and fetch nothing')
    .option('--dir <dir>', 'the crawl to plan for', DEFAULT_DIR)
    .option('--budget <n>', 'how many fetches to plan', wholeNumber(1), 20)
    .option('--per-host <n>', 'at most so many fetches of one host', wholeNumber(1))
    .option('--per-domain <n>', 'at most so many fetches of one registrable domain', wholeNumber(1))
    .option('--seed <n>', 'for policies that draw lots', wholeNumber(0), 1)
    .option('--json', 'print the plan as JSON')
    .addHelpText(
      'after',
      `
Examples:
  forager plan
  forager plan --policy indegree --budget 100 --json`,
    )
    .action(runPlan)
}

async function runPlan(options: PlanOptions): Promise<void> {
  const output = outputFor(options)
  const policy = policyNamed(options.policy)
  const now = Date.now() / 1000
  const { store, state, inScope } = await openExistingCrawl(options.dir, now)
  try {
    const { perHost, perDomain, seed, budget } = options
    const plan = planCycle(state, { policy, inScope, perHost, perDomain, seed }, budget, now)
    const fetches = plan.map(({ url, purpose, gain, why }) => ({
      url: state.frontier.urls.urlOf(url),
      purpose,
      gain,
      why: why(),
    }))
    output.result({ policy: options.policy, dir: options.dir, fetches }, () =>
      fetches.length === 0
        ? `nothing left to fetch in ${options.dir}`
        : table(
            ['gain', 'purpose', 'url', 'why'],
            fetches.map(({ gain, purpose, url, why }) => [gain, purpose, url, why]),
          ),
    )
  } finally {
    store.close()
  }
}
