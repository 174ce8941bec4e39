import { readArchive } from '#archive/format/read-archive.ts'
import { measureDiscovery } from '#lab/experiments/discovery/discovery.ts'
import { coverLines, pageLines } from '#lab/experiments/discovery/discovery-dump.ts'
import { REVISIT_FACTS } from '#lab/experiments/discovery/discovery-revisits.ts'
import { discoverySite } from '#lab/experiments/discovery/discovery-site.ts'
import { wholeNumbers } from '../../cli/settings/options.ts'
import { fileName, pageWeeks } from '../running/archive-shelf.ts'
import { defineExperiment, trialsOf } from '../running/define-experiment.ts'
import type { CommonOptions } from '../running/experiment.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from '../running/own-policies.ts'
import { type DiscoveryTables, discoveryTables, leanPool } from './discovery-tables.ts'
import { discoveryViews } from './discovery-views.ts'

interface DiscoveryOptions extends CommonOptions, PolicyFlags {
  readonly periods: string
  readonly budgets: string
}

/** Of all ways of revisiting at one budget. */
const SECONDS_PER_PAGE_WEEK = 1.5e-5

export const discoveryExperiment = defineExperiment<DiscoveryOptions, DiscoveryTables>({
  name: 'discovery',
  summary:
    'where new pages appear, and how many old pages must be fetched again to find them (coverage, overhead, delay)',
  example:
    'discovery --archive site --archive modelweb --out discovery.json \\\n    --report discovery.html --dump covers/',
  addFlags: (command) =>
    command
      .option(
        '--budgets <numbers>',
        'pages fetched again, at most, for a site and a snapshot',
        '1,2,5,10,20,50,100,200,500,1000,10000',
      )
      .option('--periods <numbers>', 'snapshots from one full recrawl to the next', '1,2,4')
      .addOption(policyFileFlag()),
  leastSnapshots: 2,
  plan: async (options, archives) => {
    const { seed } = options
    const budgets = wholeNumbers('--budgets', options.budgets)
    const periods = wholeNumbers('--periods', options.periods)
    const use = { tasks: ['refresh', 'discover'], facts: REVISIT_FACTS } as const
    const { registry, names } = await comparedPolicies(options, [], use)
    const own = names.map((name) => registry.named(name)!)
    return {
      seconds: SECONDS_PER_PAGE_WEEK * pageWeeks(archives) * budgets.length,
      trials: trialsOf({ archive: archives }, async ({ archive: { id, dir } }) => {
        const site = discoverySite(await readArchive(dir, { text: false }))
        const found = measureDiscovery(site, { periods, budgets, seed, own })
        const name = fileName(id)
        return {
          tables: { archives: [{ found }] },
          dumps: [
            { name: `${name}-covers.tsv`, lines: () => coverLines(id, site) },
            { name: `${name}-pages.tsv`, lines: () => pageLines(site) },
          ],
        }
      }),
      derive: ({ archives: found }) => discoveryTables(found),
      tell: ({ archives: found }) => ({ withoutListings: leanPool(found) }),
    }
  },
  keys: ['algorithm', 'period', 'budget'],
  drawnOnly: [
    ...(['archives', 'trajectories', 'newSiteGains', 'newSiteSteps', 'covers'] as const),
    ...(['sizes', 'allRows', 'allBounds', 'allRevisits'] as const),
  ],
  title: 'Discovery: where new pages appear',
  intro: `A page is new at a snapshot if no earlier one had it. An old page leads to a new page by a
link, or by way of other new pages, which have to be fetched anyway. Coverage is the share of the new pages
found, of those that any old page leads to; overhead is the fetches of old pages for each new page found.
greedy knows what is new beforehand: the bound of everything. od, cliq and cov choose by what full recrawls
showed, every so many snapshots (the period); their own cost is in "overhead with recrawls" only. yield,
uniform and indegree have no full recrawls: they live on their budget alone. All numbers are sums over
archives and snapshots, divided.`,
  views: discoveryViews,
})
