import { corpusGraph } from '#lab/corpus-graph.ts'
import { runSelection, type SelectionRow } from '#lab/experiments/selection.ts'
import { RecordedWeb } from '#lab/recorded-web.ts'
import { lineChart } from '#lab/report/line-chart.ts'
import { UsageError } from '#parse/usage-error.ts'
import { POLICIES, policyNamed } from '#policy/policies.ts'
import { readArchive } from '#repository/archive/read-archive.ts'
import { readWorkload } from '#repository/archive/read-workload.ts'
import type { ExperimentOptions, ExperimentResult } from './experiment.ts'
import { commaList, wholeNumbers } from './options.ts'

/** Sizes tried when the user names none, as shares of the pages known. */
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]

/** Runs `selection` on each archive and gathers rows, charts and the URLs selected. */
export async function runSelectionExperiment(
  options: ExperimentOptions,
): Promise<ExperimentResult> {
  const policies =
    options.policies === undefined ? Object.keys(POLICIES) : commaList(options.policies)
  if (policies.length === 0) throw new UsageError('--policies names none: try bfs,pagerank')
  policies.forEach(policyNamed)
  const sizes = options.sizes === undefined ? undefined : wholeNumbers('--sizes', options.sizes)
  const runs = []
  for (const [i, dir] of options.archive.entries()) {
    const run = await runOne(dir, i, policies, sizes, options)
    // Two archives may bear one name; their rows and dumps must not.
    const namesakes: number = runs.filter(({ recordedId }) => recordedId === run.recordedId).length
    runs.push({ ...run, id: namesakes > 0 ? `${run.recordedId}-${namesakes + 1}` : run.recordedId })
  }
  const several = runs.length > 1
  const rows = runs.flatMap(({ id, rows }) => rows.map((row) => ({ archive: id, ...row })))
  return {
    result: {
      experiment: 'selection',
      archive: several ? runs.map(({ id }) => id) : runs[0].id,
      seed: options.seed,
      rows,
    },
    title: 'Selection: which pages could serve the searchers',
    intro:
      'Each policy scores every URL a breadth-first crawl came to know, and the best N are kept. maxNDCG is the mean NDCG@10 that the best possible ranking of the kept pages would reach on the judged queries, each query counting the same.',
    charts: runs.map(({ id, rows }) => chartOf(id, rows)),
    tables: runs.map(({ id, rows }) => tableOf(id, rows)),
    archives: runs.map(({ id }) => id),
    dumps: runs.flatMap(({ id, rows, urlsOf }) =>
      rows.map((row) => ({
        name: `${several ? `${fileName(id)}-` : ''}${row.policy}-${row.size}.txt`,
        lines: () => urlsOf(row),
      })),
    ),
  }
}

/** An archive's id may be any text; a part of a file name may not lead out of its folder. */
function fileName(id: string): string {
  return id.replace(/[^\w.-]+/g, '_')
}

async function runOne(
  dir: string,
  index: number,
  policies: readonly string[],
  sizes: readonly number[] | undefined,
  options: ExperimentOptions,
) {
  const archive = await readArchive(dir, { text: false })
  const workload = await readWorkload(dir)
  const snapshot = options.at ?? archive.snapshotCount - 1
  if (snapshot >= archive.snapshotCount)
    throw new UsageError(
      `--at ${snapshot}: ${dir} has snapshots 0 to ${archive.snapshotCount - 1} only`,
    )
  const web = new RecordedWeb(archive, snapshot)
  const graph = corpusGraph(web, { base: options.base, seed: options.seed })
  const total = options.archive.length * policies.length
  const run = runSelection({
    archiveId: archive.site.id,
    graph,
    workload,
    policies,
    sizes: sizes ?? defaultSizes(graph.facts.visits.length),
    seed: options.seed,
    onProgress: ({ done, policy }) =>
      options.onProgress(index * policies.length + done, total, policy),
  })
  const spelling = (url: string) => web.recordedUrl(url) ?? url
  return {
    recordedId: archive.site.id,
    rows: run.result.rows,
    urlsOf: (row: SelectionRow) => run.selectedUrls(row).map(spelling),
  }
}

function defaultSizes(pages: number): number[] {
  return [...new Set(SHARES.map((share) => Math.max(1, Math.round(share * pages))))]
}

function chartOf(id: string, rows: readonly SelectionRow[]): string {
  const judged = rows.some(({ maxNdcg }) => maxNdcg !== null)
  const heightOf = (row: SelectionRow) => (judged ? row.maxNdcg : row.clicks) ?? 0
  const names = [...new Set(rows.map(({ policy }) => policy))]
  const series = names.map((name) => ({
    name,
    points: rows
      .filter(({ policy }) => policy === name)
      .map((row) => [row.selected, heightOf(row)] as const),
  }))
  return lineChart(series, {
    title: id,
    xLabel: 'pages selected (logarithmic)',
    yLabel: judged ? 'maxNDCG@10' : 'clicks',
    logX: true,
  })
}

function tableOf(id: string, rows: readonly SelectionRow[]) {
  return {
    caption: id,
    header: ['policy', 'size', 'selected', 'maxNDCG', 'clicks'],
    rows: rows.map((row) => [
      row.policy,
      row.size,
      row.selected,
      row.maxNdcg ?? '–',
      row.clicks ?? '–',
    ]),
  }
}
