import type { Command } from 'commander'
import { RecordedRobots } from '#archive/recorded-robots.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { corpusGraph } from '#lab/crawls/corpus-graph.ts'
import {
  type Ceiling,
  prepareSelection,
  type SelectionLab,
  type SelectionRow,
} from '#lab/experiments/selection/selection.ts'
import { DEFAULT_SELECTIONS, type Recipe, selectionNamed } from '#lab/selection/selection.ts'
import { SELECTION_FACTS } from '#lab/selection/selection-facts.ts'
import { SELECTION_EXAMPLES } from '#lab/selection/selection-name.ts'
import { wholeNumber, wholeNumbers } from '../../cli/settings/options.ts'
import {
  fileName,
  onePerArchive,
  readWhole,
  type ShelvedArchive,
  shelve,
  snapshotAt,
} from '../running/archive-shelf.ts'
import type {
  CommonOptions,
  Experiment,
  ExperimentRun,
  ExperimentStep,
} from '../running/experiment.ts'
import { comparedPolicies, type PolicyFlags, policyFileFlag } from '../running/own-policies.ts'
import { presentSelection, type SelectionFound } from './selection-report.ts'

interface SelectionOptions extends CommonOptions, PolicyFlags {
  readonly sizes?: string
  readonly base?: number
  readonly at?: number
}

/** Sizes tried when the user names none, as shares of the pages known. */
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

export const selectionExperiment: Experiment<SelectionOptions> = {
  summary:
    'how well the N best pages by each policy could serve the judged queries (maxNDCG against size)',
  example:
    'selection --archive modelweb --policies bfs,indegree,pagerank --sizes 1000,2000,5000 \\\n    --out out.json --report report.html --dump selected/',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  addPolicyFlags(command)
  command
    .option(
      '--sizes <numbers>',
      'pages to select, separated by commas (default: shares of what is known)',
    )
    .option('--base <n>', 'requests of the base crawl (default: all it can reach)', wholeNumber(1))
    .option('--at <snapshot>', 'which snapshot (default: the last)', wholeNumber(0))
    .addHelpText('after', selectionNames)
}

/** The flags that say which selections to compare. */
export function addPolicyFlags(command: Command): void {
  command
    .option('--policies <names>', 'what to compare, separated by commas (default: the usual ones)')
    .addOption(policyFileFlag())
}

/** How selections are named, for --help. */
export function selectionNames(): string {
  const lines = SELECTION_EXAMPLES.map(({ name, summary }) => `  ${name.padEnd(32)}${summary}`)
  return `\nNames for --policies:\n${lines.join('\n')}`
}

/** The selections named by the flags, those of the user's own files last; `usual` if none is named. */
export async function recipesFrom(flags: PolicyFlags, usual: readonly string[]): Promise<Recipe[]> {
  const use = { tasks: ['acquire'], facts: SELECTION_FACTS } as const
  const { registry, names } = await comparedPolicies(flags, usual, use)
  return names.map((name) => selectionNamed(name, registry))
}

async function prepare(options: SelectionOptions): Promise<ExperimentRun> {
  const recipes = await recipesFrom(options, DEFAULT_SELECTIONS)
  const sizes = options.sizes === undefined ? undefined : wholeNumbers('--sizes', options.sizes)
  const archives = await shelve(options.archive)
  for (const archive of archives) snapshotAt(archive, options.at)
  const labOf = onePerArchive((archive) => openLab(archive, options))
  const stepsOf = (archive: ShelvedArchive): ExperimentStep[] =>
    recipes.map((recipe) => ({
      name: `${archive.id} ${recipe.name}`,
      run: async () => {
        const lab = await labOf(archive)
        if (options.policies === undefined && saysNothing(recipe, lab))
          return { found: foundIn(archive, lab.ceiling, []) }
        const { rows, selectedUrls } = lab.attempt(recipe, sizes ?? lab.usualSizes)
        const prefix = archives.length > 1 ? `${fileName(archive.id)}-` : ''
        const dumps = rows.map((row) => ({
          name: `${prefix}${fileName(row.policy)}-${row.size}.txt`,
          lines: () => selectedUrls(row).map((url) => lab.web.recordedUrl(url) ?? url),
        }))
        return { found: foundIn(archive, lab.ceiling, rows), dumps }
      },
    }))
  return {
    steps: archives.flatMap(stepsOf),
    present: (found) => presentSelection(archives, found as SelectionFound[], options.seed),
  }
}

/**
 * Left out unless asked for by name: what needs clicks where there are none, and what tells domains
 * apart where there is one.
 */
function saysNothing({ name, needsClicks }: Recipe, { hasClicks, domains }: SelectionLab): boolean {
  return (needsClicks && !hasClicks) || (domains === 1 && /\btd|@|^host-/.test(name))
}

function foundIn(
  { id }: ShelvedArchive,
  ceiling: Ceiling,
  rows: readonly SelectionRow[],
): SelectionFound {
  return { archive: id, ceiling, rows }
}

/** A selection lab on one archive, with the web it was made from. */
type OpenLab = SelectionLab & { readonly web: RecordedWeb; readonly usualSizes: readonly number[] }

async function openLab(
  archive: ShelvedArchive,
  { at, base, seed }: SelectionOptions,
): Promise<OpenLab> {
  const { archive: recorded, workload } = await readWhole(archive, { text: false })
  const web = new RecordedWeb(recorded, snapshotAt(archive, at))
  const robots = new RecordedRobots(web)
  const answers = (url: string) => {
    const { kind } = web.find(url)
    return (kind === 'page' || kind === 'redirect') && robots.verdictOn(url).allowed
  }
  const graph = corpusGraph(web, { base, seed })
  const pages = graph.facts.visits.length
  const usualSizes = SHARES.map((share) => Math.max(1, Math.round(share * pages)))
  const lab = prepareSelection({ graph, workload, seed, answers })
  return { ...lab, web, usualSizes: [...new Set(usualSizes)] }
}
