import { readArchive } from '#archive/format/read-archive.ts'
import { measureDiscovery } from '#lab/experiments/discovery/discovery.ts'
import { coverLines, pageLines } from '#lab/experiments/discovery/discovery-dump.ts'
import { tryLeftOut } from '#lab/experiments/discovery/left-out.ts'
import { JUDGED_BUDGETS } from '#lab/experiments/discovery/waiting-ratios.ts'
import type { Tables } from '#lab/report/rows.ts'
import { type DiscoverySite, discoverySite } from '#lab/revisits/discovery-site.ts'
import { REVISIT_FACTS } from '#lab/revisits/revisiting.ts'
import { fitSignWeights, type SignEvidence, signEvidence } from '#lab/revisits/sign-weights.ts'
import { UsageError } from '../../text/usage-error.ts'
import { fileName, pageWeeks } from '../running/archive-shelf.ts'
import { defineExperiment } from '../running/define-experiment.ts'
import { numbersFlag, switchFlag, wholeFlag } from '../running/flags.ts'
import { type ComparedPolicies, policiesFlag } from '../running/own-policies.ts'
import { type DiscoveryTables, discoveryTables, leanPool, revisitsOf } from './discovery-tables.ts'
import { discoveryViews } from './discovery-views.ts'
import { leftOutTables, revisitTables } from './waiting-tables.ts'

const siteIn = async (dir: string) => discoverySite(await readArchive(dir, { text: false }))

/** What each archive says about signs of hubs; read once, as every other one needs it. */
const evidenceIn = (() => {
  const known = new Map<string, Promise<SignEvidence[]>>()
  return async (dirs: readonly string[]) => {
    const all: SignEvidence[][] = []
    for (const dir of dirs) {
      if (!known.has(dir)) known.set(dir, siteIn(dir).then(signEvidence))
      all.push(await known.get(dir)!)
    }
    return all
  }
})()

interface World {
  readonly id: string
  readonly dir: string
  readonly site: DiscoverySite
}

interface RevisitSettings {
  readonly archive: readonly string[]
  readonly seed: number
  readonly budgets: readonly number[]
  readonly periods: readonly number[]
  readonly starts: number
  readonly policies: ComparedPolicies
}

/** Revisits alone, with what the other archives chose. */
async function judged({ dir, site }: World, { archive, budgets, starts }: RevisitSettings) {
  const weights = fitSignWeights(await evidenceIn(archive.filter((other) => other !== dir)))
  const some = budgets.filter((budget) => JUDGED_BUDGETS.includes(budget))
  const { revisits, calibration } = tryLeftOut(site, weights, some, starts)
  return { tables: { leftOut: revisits, calibration, weights: [weights] } as Tables }
}

function whole(
  { id, site }: World,
  { periods, budgets, seed, policies: { registry, names } }: RevisitSettings,
) {
  const own = names.map((name) => registry.named(name)!)
  const found = measureDiscovery(site, { periods, budgets, seed, own })
  return {
    tables: { archives: [{ found }] },
    dumps: [
      { name: `${fileName(id)}-covers.tsv`, lines: () => coverLines(id, site) },
      { name: `${fileName(id)}-pages.tsv`, lines: () => pageLines(site) },
    ],
  }
}

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
    leaveOneOut: switchFlag(
      'judge revisits alone, each archive with constants of share that the other archives chose',
    ),
    starts: wholeFlag(
      'number',
      'snapshots to begin at, spread over the first half; with --leave-one-out',
      [1],
      1,
    ),
  },
  leastSnapshots: 2,
  seconds: ({ budgets, starts }, archives) =>
    SECONDS_PER_PAGE_WEEK * pageWeeks(archives) * budgets.length * starts,
  check: ({ leaveOneOut }, archives) => {
    if (leaveOneOut && archives.length < 2)
      throw new UsageError('--leave-one-out needs two archives at least: name more by --archive')
  },
  open: async ({ id, dir }) => ({ id, dir, site: await siteIn(dir) }),
  trials: (settings, trialsOf) =>
    trialsOf({}, (world) =>
      settings.leaveOneOut ? judged(world, settings) : whole(world, settings),
    ),
  derive: ({ archives, leftOut, calibration }, { seed }) =>
    archives
      ? { ...discoveryTables(archives), ...revisitTables(revisitsOf(archives), seed) }
      : leftOutTables(leftOut, calibration, seed),
  asked: (_, { archives }) => (archives ? { withoutListings: leanPool(archives) } : {}),
  keys: ['algorithm', 'period', 'budget'],
  drawnOnly: [
    'leftOut',
    ...(['archives', 'trajectories', 'newSiteGains', 'newSiteSteps', 'covers'] as const),
    ...(['sizes', 'allRows', 'allBounds', 'allRevisits'] as const),
  ],
  title: 'Discovery: where new pages appear',
  intro: `A page is new at a snapshot if no earlier one had it. An old page leads to a new page by a
link, or by way of other new pages, which have to be fetched anyway. Coverage is the share of the new pages
found, of those that any old page leads to; overhead is the fetches of old pages for each new page found.
greedy knows what is new beforehand: the bound of everything. od, cliq and cov choose by what full recrawls
showed, every so many snapshots (the period); their own cost is in "overhead with recrawls" only. share,
yield, uniform and indegree have no full recrawls: they live on their budget alone. Names joined by + are a
mixture of these by finds. All numbers are sums over archives and snapshots, divided, but for ratios of waiting:
these are geometric means over archives.`,
  views: discoveryViews,
})
