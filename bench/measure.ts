import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { lineChart } from '#lab/report/line-chart.ts'
import { standaloneSvg } from '#lab/report/report-page.ts'
import { GainMeter } from '#learn/text-index/gain-meter.ts'
import { parsePage } from '#parse/parse-page.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { TrackedQuery } from '#search/gain/top-answers.ts'
import { singleTerms, wholeQueries, type Yardstick } from '#search/gain/yardstick.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { type Stream, streamOf, type Visit } from './webs/changing-web.ts'

/** At most so much more CPU than indexing alone takes. */
const LIMIT = 0.08

/** More than any cache holds. */
const COLD = new Float64Array(1 << 23)

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** CPU-seconds of one round. */
interface Spent {
  readonly without: number
  readonly measuring: number
}

/** How gains are measured: by whole queries as in a crawl, or by their single terms as in the paper. */
type Measure = (index: TextIndex) => Yardstick

/**
 * A changing web is followed week by week, in turns with and without. `overhead` is over the indexing of pages
 * that are parsed already, `overheadWithParsing` over parsing and indexing, as a crawl does both. Keeping the curves
 * up to date is part of either; only the first time that all queries are asked is not, as the first indexing is not.
 *
 * @paper PandeyOlston2005 §5.3 Fig. 2 — `batches` by batch size, as theirs; they indexed HTML, so with parsing.
 * `terms` measures by single terms as they did, everything else by whole queries.
 */
export default benchmark({
  about:
    'What measuring the worth of fetches adds to indexing, by whole queries and by single terms',
  flags: {
    ...{ pages: 12_000, weeks: 12, queries: 300, more: 1_000, many: 5_000, rounds: 7, seed: 7 },
    figure: '',
  },
  async run({ pages, weeks, queries, more, many, rounds, seed, figure }) {
    const web = generateModelWeb({ seed, pages, weeks, queriesPerPage: (many / pages) * 1.01 })
    const stream = streamOf(archiveOf(web))
    const tracked = web.workload!.queries.toSorted((a, b) => b.weight - a.weight)
    const parsing = mean(Array.from({ length: rounds + 1 }, () => parseAll(stream)).slice(1))
    const whole = (count: number, rounds: number) =>
      compare(`${count} queries`, stream, byQueries(tracked.slice(0, count)), rounds, parsing)
    const fewer = Math.ceil(rounds / 3)
    const usual = whole(queries, rounds)
    const batches = BATCHES.map((size) =>
      batchCost(stream, size, byQueries(tracked.slice(0, queries)), fewer, parsing),
    )
    if (figure) writeFileSync(figure, standaloneSvg(figureOf(batches)))
    return {
      ok: mustHold(usual.overhead <= LIMIT),
      ...usual,
      limit: LIMIT,
      parseCpuSeconds: rounded(parsing),
      pages: stream.cycles.flat().length,
      cycles: stream.cycles.length,
      terms: compare('terms', stream, byTerms(tracked.slice(0, queries)), rounds, parsing),
      more: whole(more, fewer),
      many: whole(many, fewer),
      batches,
    }
  },
})

/** Pages of a batch. */
const BATCHES = [50, 100, 200, 400, 800]

interface BatchCost {
  readonly megabytes: number
  readonly withoutCpuSeconds: number
  readonly withCpuSeconds: number
}

/** What a batch of so many pages costs, parsing included. Batches hold no page twice, so none is longer than a week. */
function batchCost(
  stream: Stream,
  size: number,
  measure: Measure,
  rounds: number,
  parsing: number,
): BatchCost {
  const cycles = stream.cycles.flatMap((visits) =>
    Array.from({ length: Math.ceil(visits.length / size) }, (_, i) =>
      visits.slice(i * size, (i + 1) * size),
    ),
  )
  const spent = Array.from({ length: rounds }, (_, round) =>
    follow({ ...stream, cycles }, measure, round),
  )
  const bytes = stream.documents.reduce((sum, { body }) => sum + body.length, 0)
  const ofBatch = (seconds: number) => Number(((seconds + parsing) / cycles.length).toPrecision(3))
  const cost = {
    pages: Math.round(stream.cycles.flat().length / cycles.length),
    megabytes: rounded(bytes / 1e6 / cycles.length),
    withoutCpuSeconds: ofBatch(mean(spent.map(({ without }) => without))),
    withCpuSeconds: ofBatch(mean(spent.map(({ measuring }) => measuring))),
  }
  console.error(`batches: ${JSON.stringify(cost)}`)
  return cost
}

function figureOf(batches: readonly BatchCost[]): string {
  const series = (name: string, seconds: (cost: BatchCost) => number) => ({
    name,
    points: batches.map((cost) => [cost.megabytes, seconds(cost)] as const),
  })
  return lineChart(
    [
      series('with measuring', ({ withCpuSeconds }) => withCpuSeconds),
      series('without', ({ withoutCpuSeconds }) => withoutCpuSeconds),
    ],
    {
      title: 'Indexing a batch of pages, with and without measuring',
      xLabel: 'megabytes of HTML',
      yLabel: 'CPU seconds',
    },
  )
}

const byQueries =
  (queries: readonly TrackedQuery[]): Measure =>
  (index) =>
    wholeQueries(index, queries, defaultScoring)

const byTerms =
  (queries: readonly TrackedQuery[]): Measure =>
  (index) =>
    singleTerms(index, queries, defaultScoring)

function parseAll({ documents }: Stream): number {
  return cpuSeconds(() => {
    for (const { url, body } of documents) parsePage(body, 'text/html; charset=utf-8', url)
  })
}

/** Means over rounds, and how far single rounds are from them. */
function compare(name: string, stream: Stream, measure: Measure, rounds: number, parsing: number) {
  follow(stream, measure, 0) // so that nobody pays for the compiler
  const spent = Array.from({ length: rounds }, (_, round) => follow(stream, measure, round))
  const overheads = spent.map(({ without, measuring }) => measuring / without - 1)
  const without = mean(spent.map((round) => round.without))
  const measuring = mean(spent.map((round) => round.measuring))
  const figures = {
    withoutCpuSeconds: rounded(without),
    withCpuSeconds: rounded(measuring),
    overhead: rounded(measuring / without - 1),
    overheadRange: [rounded(Math.min(...overheads)), rounded(Math.max(...overheads))],
    overheadWithParsing: rounded((measuring + parsing) / (without + parsing) - 1),
    queries: measure(new TextIndex(defaultAnalyser)).queries.length,
  }
  console.error(`${name}: ${JSON.stringify(figures)}`)
  return figures
}

/**
 * Follows the stream with two indexes, one of them measured, cycle by cycle in turns: so whatever else
 * the machine does slows both. Each turn begins with cold caches, as after a cycle's fetches, and without the garbage
 * of the turn before.
 */
function follow({ first, cycles }: Stream, measure: Measure, round: number): Spent {
  const [plain, measured] = [0, 1].map(() => {
    const index = new TextIndex(defaultAnalyser)
    for (const visit of first) take(index, visit)
    while (index.compact());
    return index
  })
  const meter = new GainMeter(measured, measure(measured))
  meter.begin() // asks all queries
  meter.end()
  const spent = { without: 0, measuring: 0 }
  cycles.forEach((visits, cycle) => {
    const turns = [
      () => {
        spent.without += cpuSeconds(() => index(plain, visits))
      },
      () => {
        spent.measuring += cpuSeconds(() => index(measured, visits, meter))
      },
    ]
    for (const turn of (cycle + round) % 2 === 0 ? turns : turns.reverse()) {
      collectGarbage()
      COLD.fill(cycle)
      turn()
    }
  })
  return spent
}

function index(text: TextIndex, visits: readonly Visit[], meter?: GainMeter): void {
  meter?.begin()
  for (const visit of visits) {
    meter?.before(visit[0])
    take(text, visit)
    meter?.after(visit[0])
  }
  meter?.end()
  while (text.compact());
}

function take(index: TextIndex, [url, found]: Visit): void {
  if (found) index.replace(url, found)
  else index.remove(url)
}

/** Of this thread: when the collector's own threads work is chance, and would drown the difference. */
function cpuSeconds(work: () => void): number {
  const before = threadCpuSeconds()
  work()
  return threadCpuSeconds() - before
}

/**
 * The system counts a thread's CPU exactly when it stops, else in steps of some milliseconds: as much as is to be measured
 * in a cycle. So the thread stops for a moment before it is asked.
 */
function threadCpuSeconds(): number {
  Atomics.wait(NOBODY_WAKES, 0, 0, 0.05)
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e6
}

const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4))

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
