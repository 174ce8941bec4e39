import { indexArchive } from '#lab/archive-index.ts'
import { runSearch, type SearchRow } from '#lab/experiments/search.ts'
import { UsageError } from '#parse/usage-error.ts'
import { readArchive } from '#repository/archive/read-archive.ts'
import { readWorkload } from '#repository/archive/read-workload.ts'
import { defaultAnalyser, SCORINGS } from '#search/default-search.ts'
import type { Scoring } from '#search/scoring.ts'
import type { ExperimentOptions, ExperimentResult } from './experiment.ts'

/** Runs `search` on each archive: all pages of a snapshot indexed, all judged queries asked. */
export async function runSearchExperiment(options: ExperimentOptions): Promise<ExperimentResult> {
  const name = options.scoring ?? 'default'
  if (!Object.hasOwn(SCORINGS, name))
    throw new UsageError(
      `--scoring must be one of ${Object.keys(SCORINGS).join(', ')}, not "${name}"`,
    )
  const runs: { id: string; rows: SearchRow[] }[] = []
  for (const [i, dir] of options.archive.entries()) {
    runs.push(await runOne(dir, options.at, SCORINGS[name]))
    options.onProgress(i + 1, options.archive.length, dir)
  }
  const several = runs.length > 1
  return {
    result: {
      experiment: 'search',
      scoring: name,
      archive: several ? runs.map(({ id }) => id) : runs[0].id,
      rows: runs.flatMap(({ id, rows }) => rows.map((row) => ({ archive: id, ...row }))),
    },
    title: 'Search: how well the judged queries are answered',
    intro:
      'All pages live at the snapshot are indexed; every judged query is asked by the default scoring. NDCG@10 uses gains 0, 3, 7, 15 and 31 for grades 0 to 4; recall is the share of pages with a gain among the first 100 results.',
    charts: [],
    tables: runs.map(({ id, rows }) => ({
      caption: id,
      header: ['source', 'queries', 'NDCG@10', 'recall@100'],
      rows: rows.map(({ source, queries, ndcg10, recall100 }) => [
        source,
        queries,
        ndcg10,
        recall100,
      ]),
    })),
    archives: runs.map(({ id }) => id),
    dumps: [],
  }
}

async function runOne(dir: string, at: number | undefined, scoring: Scoring) {
  const archive = await readArchive(dir)
  const workload = await readWorkload(dir)
  if (workload.judgments.length === 0)
    throw new UsageError(`${dir} has no judgments (qrels.tsv.gz): choose an archive that has`)
  const snapshot = at ?? archive.snapshotCount - 1
  if (snapshot >= archive.snapshotCount)
    throw new UsageError(
      `--at ${snapshot}: ${dir} has snapshots 0 to ${archive.snapshotCount - 1} only`,
    )
  const index = indexArchive(archive, snapshot, defaultAnalyser)
  return { id: archive.site.id, rows: runSearch(archive, index, workload, scoring) }
}
