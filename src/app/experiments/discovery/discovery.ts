import { readArchive } from '#archive/format/read-archive.ts'
import { measureDiscovery } from '#lab/experiments/discovery/discovery.ts'
import { coverLines, pageLines } from '#lab/experiments/discovery/discovery-dump.ts'
import { REVISIT_FACTS } from '#lab/experiments/discovery/discovery-revisits.ts'
import { discoverySite } from '#lab/experiments/discovery/discovery-site.ts'
import { fileName, pageWeeks } from '../running/archive-shelf.ts'
import { defineExperiment } from '../running/define-experiment.ts'
import { numbersFlag } from '../running/flags.ts'
import { policiesFlag } from '../running/own-policies.ts'
import { type DiscoveryTables, discoveryTables, leanPool } from './discovery-tables.ts'
import { discoveryViews } from './discovery-views.ts'

/** Of all ways of revisiting at one budget. */
const SECONDS_PER_PAGE_WEEK = 1.5e-5

export const discoveryExperiment = defineExperiment<DiscoveryTables>()({
  name: 'discovery',
  summary:
    'where new pages appear, and how many old pages must be fetched again to find them (coverage, overhead, delay)',
  example:
    'discovery --archive site --archive modelweb --out discovery.json \\\n    --report discovery.html --dump covers/',
  flags: {
    budgets: numbersFlag(
      'pages fetched again, at most, for a site and a snapshot',
      '1,2,5,10,20,50,100,200,500,1000,10000',
    ),
    periods: numbersFlag('snapshots from one full recrawl to the next', '1,2,4'),
    policies: policiesFlag({ usual: [], tasks: ['refresh', 'discover'], facts: REVISIT_FACTS }),
  },
  leastSnapshots: 2,
  seconds: ({ budgets }, archives) => SECONDS_PER_PAGE_WEEK * pageWeeks(archives) * budgets.length,
  open: async ({ id, dir }) => ({
    id,
    site: discoverySite(await readArchive(dir, { text: false })),
  }),
  trials: ({ periods, budgets, seed, policies: { registry, names } }, trialsOf) =>
    trialsOf({}, ({ id, site }) => {
      const own = names.map((name) => registry.named(name)!)
      const found = measureDiscovery(site, { periods, budgets, seed, own })
      return {
        tables: { archives: [{ found }] },
        dumps: [
          { name: `${fileName(id)}-covers.tsv`, lines: () => coverLines(id, site) },
          { name: `${fileName(id)}-pages.tsv`, lines: () => pageLines(site) },
        ],
      }
    }),
  derive: ({ archives }) => discoveryTables(archives),
  asked: (_, { archives }) => ({ withoutListings: leanPool(archives) }),
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
