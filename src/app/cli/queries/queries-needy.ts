import type { Command } from 'commander'
import { UsageError } from '#errors/usage-error.ts'
import { folderToLook } from '#library/open/folder-until-exit.ts'
import { countWaitingPages } from '#library/queries/waiting-pages.ts'
import { loadIndex } from '#library/search/search-service.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import {
  averageTopScore,
  fitImprovability,
  priorImprovability,
  TOP_RESULTS,
} from '#workload/improvability.ts'
import { findNeedyQueries } from '#workload/needy.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor, table } from '../terminal/output.ts'
import { cutToWidth } from '../terminal/terminal-width.ts'
import { lookAtQueries, SYNTHETIC_NOTE } from '../words/query-tables.ts'

/** Columns of a query or title in the table. */
const MAX_SHOWN = 44

/** What `forager queries needy --json` prints. */
interface NeedyReport {
  readonly dir: string
  readonly synthetic: boolean
  /** Pages in the index. */
  readonly pages: number
  readonly improvability: { readonly form: string; readonly observations: number }
  readonly queries: readonly NeedyRow[]
}

interface NeedyRow {
  readonly query: string
  readonly weight: number
  readonly neediness: number
  readonly improvability: number
  readonly averageScore: number
  readonly best: { readonly url: string; readonly title: string; readonly score: number } | null
  /** Pages that wait to be fetched and speak of it, by their URL and anchors. */
  readonly waiting: number
}

export function addQueriesNeedy(queries: Command): void {
  addSettings(queries.command('needy'), ['dir'])
    .description('show which queries the crawl cannot serve yet, and what it is doing about it')
    .option('--limit <n>', 'how many to show', wholeNumber(1), 20)
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExample:\n  forager queries needy --dir mycrawl')
    .action(async (options: { limit: number; json?: boolean }, command: Command) => {
      const report = await needyReport(settingsOf(command).settings.dir, options.limit)
      const output = outputFor(options)
      if (report.synthetic) output.note(SYNTHETIC_NOTE)
      output.result(report, () => needyText(report))
    })
}

async function needyReport(dir: string, limit: number): Promise<NeedyReport> {
  const now = Date.now() / 1000
  const { workload, progress } = await lookAtQueries(dir, async (queries) => ({
    workload: await queries.workload(now),
    progress: await queries.progress(),
  }))
  if (workload.queries.length === 0)
    throw new UsageError(
      `${dir} has neither queries nor pages: import a log with forager queries import, or crawl first`,
    )
  const index = loadIndex(dir)
  const statistics = index.statistics()
  const results = workload.queries.map(({ text }) =>
    index.search(index.prepare(text, defaultScoring, statistics), TOP_RESULTS),
  )
  const averages = results.map((top) => averageTopScore(top.map(({ score }) => score)))
  const improvability = fitImprovability(progress) ?? priorImprovability(averages)
  const needy = findNeedyQueries(workload.queries, averages, improvability).slice(0, limit)
  const resultsOf = new Map(workload.queries.map(({ id }, i) => [id, results[i]]))

  // Not opened for crawling: a directory may have queries and no seeds yet.
  const store = await CrawlStore.openToLook(dir, folderToLook)
  try {
    const { frontier } = await store.load()
    const bestOf = needy.map(({ query }) => resultsOf.get(query.id)?.[0])
    const titles = await store.reports.urls.titlesOf(
      bestOf.flatMap((best) => (best ? [best.url] : [])),
    )
    const texts = needy.map(({ query }) => query.text)
    const waiting = countWaitingPages(frontier, defaultAnalyser, texts, now)
    return {
      dir,
      synthetic: workload.synthetic,
      pages: index.size,
      improvability: { form: improvability.form, observations: improvability.observations },
      queries: needy.map(({ query, ...need }, i) => {
        const best = bestOf[i]
        return {
          query: query.text,
          weight: query.weight,
          neediness: need.neediness,
          improvability: need.improvability,
          averageScore: need.averageScore,
          best: best
            ? {
                url: frontier.urls.urlOf(best.url),
                title: titles.get(best.url) ?? '',
                score: best.score,
              }
            : null,
          waiting: waiting[i],
        }
      }),
    }
  } finally {
    store.close()
  }
}

function needyText({ queries, improvability, pages }: NeedyReport): string {
  const learnt =
    improvability.form === 'prior'
      ? 'a guess until a few cycles were seen'
      : `learnt from ${improvability.observations.toLocaleString('en')} queries of past cycles`
  const rows = queries.map((row) => [
    cutToWidth(row.query, MAX_SHOWN),
    row.weight,
    row.best ? cutToWidth(row.best.title || row.best.url, MAX_SHOWN) : '(none)',
    row.best?.score ?? 0,
    row.averageScore,
    row.improvability,
    row.waiting,
  ])
  return [
    table(
      ['query', 'weight', 'best answer', 'score', 'top-10 average', 'improvability', 'waiting'],
      rows,
    ),
    '',
    `${pages.toLocaleString('en')} pages searched. Improvability: new top-10 results to expect of a cycle (${learnt}).`,
    'Waiting: known pages not fetched yet whose URL and anchors hold all words of the query.',
  ].join('\n')
}
