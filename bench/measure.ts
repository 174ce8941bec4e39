import { GainMeter } from '#crawl/gain-meter.ts'
import { searchablePages } from '#lab/archive-index.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { archiveOf } from '#repository/archive/assemble-archive.ts'
import type { SearchablePage } from '#search/analysis.ts'
import { defaultAnalyser, defaultScoring } from '#search/default-search.ts'
import { QuerySketches, type TrackedQuery } from '#search/query-sketches.ts'
import { TextIndex } from '#search/text-index.ts'
import { powerVisibility } from '#search/visibility.ts'
import { wholeQueries } from '#search/yardstick.ts'
import { rounded } from './cost.ts'
import { numberFlags } from './flags.ts'

/** At most so much more CPU than indexing alone takes. */
const LIMIT = 0.08

/** More than any cache holds. */
const COLD = new Float64Array(1 << 23)

/** What a cycle finds: a page, or that it is gone. */
type Visit = readonly [url: number, found: SearchablePage | undefined]

interface Stream {
  readonly first: readonly Visit[]
  /** By cycle: a week's changes. */
  readonly cycles: readonly (readonly Visit[])[]
}

/** CPU-seconds of one round. */
interface Spent {
  readonly without: number
  readonly measuring: number
  readonly sketching: number
}

/**
 * What measuring adds to indexing: a changing web is followed week by week, in turns with and without.
 * Bringing the sketches up to date is counted apart, since planning needs them anyway.
 *
 * @paper PandeyOlston2005 §5.3 Fig. 2 — without the parsing of pages, which would hide some of it.
 */
export async function run(args: string[]): Promise<object> {
  const sizes = { pages: 12_000, weeks: 12, queries: 300, many: 5_000, rounds: 7, seed: 7 }
  const { pages, weeks, queries, many, rounds, seed } = numberFlags(args, sizes)
  const web = generateModelWeb({ seed, pages, weeks, queriesPerPage: (many / pages) * 1.01 })
  const stream = streamOf([...weeklyPages(web, weeks)])
  const tracked = web.workload!.queries.toSorted((a, b) => b.weight - a.weight)
  const few = compare(stream, tracked.slice(0, queries), rounds)
  const lots = compare(stream, tracked.slice(0, many), rounds)
  return { benchmark: 'measure', ...few, limit: LIMIT, many: lots }
}

function* weeklyPages(web: ReturnType<typeof generateModelWeb>, weeks: number) {
  const archive = archiveOf(web)
  for (let week = 0; week < weeks; week++) yield new Map(searchablePages(archive, week))
}

function streamOf([first, ...later]: readonly ReadonlyMap<number, SearchablePage>[]): Stream {
  let before = first
  const cycles = later.map((after) => {
    const gone = [...before.keys()].filter((url) => !after.has(url))
    const changed = [...after].filter(([url, { text }]) => before.get(url)?.text !== text)
    before = after
    return [...gone.map((url): Visit => [url, undefined]), ...changed]
  })
  return { first: [...first], cycles }
}

function compare(stream: Stream, queries: readonly TrackedQuery[], rounds: number): object {
  follow(stream, queries, 0) // so that nobody pays for the compiler
  const spent = Array.from({ length: rounds }, (_, round) => follow(stream, queries, round))
  const overheads = spent.map(({ without, measuring }) => measuring / without - 1)
  const figures = {
    withoutCpuSeconds: rounded(median(spent.map(({ without }) => without))),
    withCpuSeconds: rounded(median(spent.map(({ measuring }) => measuring))),
    overhead: rounded(median(overheads)),
    overheadRange: [rounded(Math.min(...overheads)), rounded(Math.max(...overheads))],
    sketchCpuSeconds: rounded(median(spent.map(({ sketching }) => sketching))),
    queries: queries.length,
    pages: stream.cycles.flat().length,
    cycles: stream.cycles.length,
  }
  console.error(`${queries.length} queries: ${JSON.stringify(figures)}`)
  return figures
}

/**
 * Follows the stream with two indexes, one of them measured, cycle by cycle in turns: so whatever else
 * the machine does slows both. Each turn begins with cold caches, as after a cycle's fetches: sketching
 * would warm them for one index only.
 */
function follow({ first, cycles }: Stream, queries: readonly TrackedQuery[], round: number): Spent {
  const [plain, measured] = [0, 1].map(() => {
    const index = new TextIndex(defaultAnalyser)
    for (const visit of first) take(index, visit)
    while (index.compact());
    return index
  })
  const options = { scoring: defaultScoring, visibility: powerVisibility }
  const sketches = new QuerySketches(queries, options)
  const meter = new GainMeter(measured, wholeQueries(measured, sketches))
  const spent = { without: 0, measuring: 0, sketching: 0 }
  cycles.forEach((visits, cycle) => {
    spent.sketching += cpuSeconds(() => sketches.refresh(measured))
    const turns = [
      () => {
        spent.without += cpuSeconds(() => index(plain, visits))
      },
      () => {
        spent.measuring += cpuSeconds(() => index(measured, visits, meter))
      },
    ]
    for (const turn of (cycle + round) % 2 === 0 ? turns : turns.reverse()) {
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

function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}
