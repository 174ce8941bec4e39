import type { Command } from 'commander'
import { readArchive } from '#archive/format/read-archive.ts'
import { type DiscoveryFound, measureDiscovery } from '#lab/experiments/discovery/discovery.ts'
import { coverLines, pageLines } from '#lab/experiments/discovery/discovery-dump.ts'
import { REVISIT_FACTS } from '#lab/experiments/discovery/discovery-revisits.ts'
import { discoverySite } from '#lab/experiments/discovery/discovery-site.ts'
import { wholeNumbers } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'
import { fileName, type ShelvedArchive, shelve } from '../running/archive-shelf.ts'
import type {
  CommonOptions,
  Experiment,
  ExperimentRun,
  ExperimentStep,
} from '../running/experiment.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from '../running/own-policies.ts'
import { presentDiscovery } from './discovery-report.ts'

interface DiscoveryOptions extends CommonOptions, PolicyFlags {
  readonly periods: string
  readonly budgets: string
}

/** What one step finds: one archive. */
export interface ArchiveDiscovery {
  readonly archive: string
  readonly found: DiscoveryFound
}

export const discoveryExperiment: Experiment<DiscoveryOptions> = {
  summary:
    'where new pages appear, and how many old pages must be fetched again to find them (coverage, overhead, delay)',
  example:
    'discovery --archive site --archive modelweb --out discovery.json \\\n    --report discovery.html --dump covers/',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  command
    .option(
      '--budgets <numbers>',
      'pages fetched again, at most, for a site and a snapshot',
      '1,2,5,10,20,50,100,200,500,1000,10000',
    )
    .option('--periods <numbers>', 'snapshots from one full recrawl to the next', '1,2,4')
    .addOption(policyFileFlag())
}

/** A step an archive. */
async function prepare(options: DiscoveryOptions): Promise<ExperimentRun> {
  const budgets = wholeNumbers('--budgets', options.budgets)
  const periods = wholeNumbers('--periods', options.periods)
  const use = { tasks: ['refresh', 'discover'], facts: REVISIT_FACTS } as const
  const { registry, names } = await comparedPolicies(options, [], use)
  const own = names.map((name) => registry.named(name)!)
  const archives = await shelve(options.archive)
  for (const { dir, snapshots } of archives)
    if (snapshots < 2)
      throw new UsageError(`--archive ${dir}: it has one snapshot only; nothing is ever new there`)
  const step = (archive: ShelvedArchive): ExperimentStep => ({
    name: archive.id,
    run: async () => {
      const site = discoverySite(await readArchive(archive.dir, { text: false }))
      const found = measureDiscovery(site, { periods, budgets, seed: options.seed, own })
      const name = fileName(archive.id)
      return {
        found: { archive: archive.id, found } satisfies ArchiveDiscovery,
        dumps: [
          { name: `${name}-covers.tsv`, lines: () => coverLines(archive.id, site) },
          { name: `${name}-pages.tsv`, lines: () => pageLines(site) },
        ],
      }
    },
  })
  return {
    steps: archives.map(step),
    present: (found) => presentDiscovery(found as ArchiveDiscovery[], options.seed),
  }
}
