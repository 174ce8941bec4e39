import type { Command } from 'commander'
import { runSearch, type SearchRow } from '#lab/experiments/search.ts'
import { indexArchive } from '#lab/judging/archive-index.ts'
import { defaultAnalyser, SCORINGS } from '#search/full-text/default-search.ts'
import { wholeNumber } from '../cli/settings/options.ts'
import { UsageError } from '../text/usage-error.ts'
import { readWhole, shelve, snapshotAt } from './running/archive-shelf.ts'
import type { CommonOptions, Experiment, ExperimentRun } from './running/experiment.ts'

interface SearchOptions extends CommonOptions {
  readonly at?: number
  readonly scoring?: string
}

interface Found {
  readonly archive: string
  readonly rows: readonly SearchRow[]
}

export const searchExperiment: Experiment<SearchOptions> = {
  summary:
    'how well the judged queries are answered when everything is indexed (NDCG@10, recall@100)',
  example: 'search --archive modelweb --out out.json',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  command
    .option('--scoring <name>', `how results are ranked: ${Object.keys(SCORINGS).join(', ')}`)
    .option('--at <snapshot>', 'which snapshot (default: the last)', wholeNumber(0))
}

/** A step an archive: all pages of a snapshot indexed, all judged queries asked. */
async function prepare(options: SearchOptions): Promise<ExperimentRun> {
  const scoring = options.scoring ?? 'default'
  if (!Object.hasOwn(SCORINGS, scoring))
    throw new UsageError(
      `--scoring must be one of ${Object.keys(SCORINGS).join(', ')}, not "${scoring}"`,
    )
  const archives = await shelve(options.archive)
  const steps = archives.map((shelved) => {
    const snapshot = snapshotAt(shelved, options.at)
    return {
      name: shelved.id,
      run: async () => {
        const { archive, workload } = await readWhole(shelved)
        if (workload.judgments.length === 0)
          throw new UsageError(
            `${shelved.dir} has no judgments (qrels.tsv.gz): choose an archive that has`,
          )
        const index = indexArchive(archive, snapshot, defaultAnalyser)
        const rows = runSearch(archive, index, workload, SCORINGS[scoring])
        return { found: { archive: shelved.id, rows } satisfies Found }
      },
    }
  })
  return { steps, present: (found) => present(found as Found[], scoring) }
}

function present(found: readonly Found[], scoring: string) {
  const ids = found.map(({ archive }) => archive)
  return {
    result: {
      experiment: 'search',
      scoring,
      archive: ids.length > 1 ? ids : ids[0],
      keys: ['archive', 'source'],
      rows: found.flatMap(({ archive, rows }) => rows.map((row) => ({ archive, ...row }))),
    },
    title: 'Search: how well the judged queries are answered',
    intro:
      'All pages live at the snapshot are indexed; every judged query is asked by the default scoring. NDCG@10 uses gains 0, 3, 7, 15 and 31 for grades 0 to 4; recall is the share of pages with a gain among the first 100 results.',
    charts: [],
    tables: found.map(({ archive, rows }) => ({
      caption: archive,
      header: ['source', 'queries', 'NDCG@10', 'recall@100'],
      rows: rows.map(({ source, queries, ndcg10, recall100 }) => [
        source,
        queries,
        ndcg10,
        recall100,
      ]),
    })),
    archives: ids,
  }
}
