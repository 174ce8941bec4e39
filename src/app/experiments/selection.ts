import type { Command } from 'commander'
import { corpusGraph } from '#lab/corpus-graph.ts'
import { runSelection, type SelectionRow } from '#lab/experiments/selection.ts'
import { RecordedWeb } from '#lab/recorded-web.ts'
import { lineChart } from '#lab/report/line-chart.ts'
import { UsageError } from '#parse/usage-error.ts'
import { POLICIES, policyNamed } from '#policy/policies.ts'
import { commaList, wholeNumber, wholeNumbers } from '../cli/options.ts'
import {
  fileName,
  onePerArchive,
  readWhole,
  type ShelvedArchive,
  shelve,
  snapshotAt,
} from './archive-shelf.ts'
import type { CommonOptions, Experiment, ExperimentRun } from './experiment.ts'

interface SelectionOptions extends CommonOptions {
  readonly policies?: string
  readonly sizes?: string
  readonly base?: number
  readonly at?: number
}

/** Sizes tried when the user names none, as shares of the pages known. */
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]

export const selectionExperiment: Experiment<SelectionOptions> = {
  summary:
    'how well the N best pages by each policy could serve the judged queries (maxNDCG against size)',
  example:
    'selection --archive modelweb --policies bfs,indegree,pagerank --sizes 1000,2000,5000 \\\n    --out out.json --report report.html --dump selected/',
  addFlags,
  prepare,
}

function addFlags(command: Command): void {
  command
    .option('--policies <names>', 'policies to compare, separated by commas (default: all)')
    .option(
      '--sizes <numbers>',
      'pages to select, separated by commas (default: shares of what is known)',
    )
    .option('--base <n>', 'requests of the base crawl (default: all it can reach)', wholeNumber(1))
    .option('--at <snapshot>', 'which snapshot (default: the last)', wholeNumber(0))
}

/** Rows of one archive and one policy. */
interface Found {
  readonly archive: string
  readonly rows: readonly SelectionRow[]
}

async function prepare(options: SelectionOptions): Promise<ExperimentRun> {
  const policies =
    options.policies === undefined ? Object.keys(POLICIES) : commaList(options.policies)
  if (policies.length === 0) throw new UsageError('--policies names none: try bfs,pagerank')
  policies.forEach(policyNamed)
  const sizes = options.sizes === undefined ? undefined : wholeNumbers('--sizes', options.sizes)
  const archives = await shelve(options.archive)
  for (const archive of archives) snapshotAt(archive, options.at)
  const several = archives.length > 1
  const graphOf = onePerArchive((archive) => readGraph(archive, options))
  const steps = archives.flatMap((archive) =>
    policies.map((policy) => ({
      name: `${archive.id} ${policy}`,
      run: async () => {
        const { web, graph, workload } = await graphOf(archive)
        const run = runSelection({
          archiveId: archive.id,
          graph,
          workload,
          policies: [policy],
          sizes: sizes ?? defaultSizes(graph.facts.visits.length),
          seed: options.seed,
        })
        const found: Found = { archive: archive.id, rows: run.result.rows }
        const dumps = run.result.rows.map((row) => ({
          name: `${several ? `${fileName(archive.id)}-` : ''}${fileName(row.policy)}-${row.size}.txt`,
          lines: () => run.selectedUrls(row).map((url) => web.recordedUrl(url) ?? url),
        }))
        return { found, dumps }
      },
    })),
  )
  return { steps, present: (found) => present(archives, found as Found[], options.seed) }
}

async function readGraph(archive: ShelvedArchive, { at, base, seed }: SelectionOptions) {
  const { archive: recorded, workload } = await readWhole(archive, { text: false })
  const web = new RecordedWeb(recorded, snapshotAt(archive, at))
  return { web, workload, graph: corpusGraph(web, { base, seed }) }
}

function defaultSizes(pages: number): number[] {
  return [...new Set(SHARES.map((share) => Math.max(1, Math.round(share * pages))))]
}

function present(archives: readonly ShelvedArchive[], found: readonly Found[], seed: number) {
  const ids = archives.map(({ id }) => id)
  const rowsOf = (id: string) =>
    found.filter(({ archive }) => archive === id).flatMap(({ rows }) => rows)
  return {
    result: {
      experiment: 'selection',
      archive: ids.length > 1 ? ids : ids[0],
      seed,
      keys: ['archive', 'policy', 'size'],
      rows: ids.flatMap((id) => rowsOf(id).map((row) => ({ archive: id, ...row }))),
    },
    title: 'Selection: which pages could serve the searchers',
    intro:
      'Each policy scores every URL a breadth-first crawl came to know, and the best N are kept. maxNDCG is the mean NDCG@10 that the best possible ranking of the kept pages would reach on the judged queries, each query counting the same.',
    charts: ids.map((id) => chartOf(id, rowsOf(id))),
    tables: ids.map((id) => tableOf(id, rowsOf(id))),
    archives: ids,
  }
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
