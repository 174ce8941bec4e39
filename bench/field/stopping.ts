import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rounded } from '../harness/cost.ts'
import { runForager } from '../harness/run-program.ts'
import { type Place, startCrawl } from '../harness/served-crawl.ts'

/** As many as in the report. */
const QUERIES = 37
const SHARE = 0.01
/** The report's crawl went on from here with `--until-gain`. */
const AFTER_FETCHES = 2_200

/** A plan's word on what the rest of the budget would gain, and what then came. */
interface Forecast {
  readonly spent: number
  readonly gained: number
  readonly expected: number
  readonly upTo: number
  readonly came: number
}

/**
 * F4 of the report: a crawl that knows few queries, to the end of its budget. Tells what `--until-gain` would have used
 * at each plan, where it would have stopped, and what came after that.
 */
export async function stopping(
  places: readonly Place[],
  folders: readonly string[],
  dir: string,
  budget: number,
): Promise<object> {
  const crawl = join(dir, 'crawl')
  const log = join(dir, 'crawl.jsonl')
  const queries = join(dir, 'queries.csv')
  writeFileSync(queries, ['query', ...titlesIn(folders)].join('\n'))
  await runForager('queries', 'import', queries, '--format', 'csv', '--dir', crawl, '--json')
  const seeds = places.map(([name]) => `http://${name}/`)
  const flags = ['--budget', budget, '--delay', 0, '--response-factor', 0, '--scope', 'domain']
  await startCrawl(places, [...seeds, ...flags, '--dir', crawl, '--log', log]).ended
  const forecasts = forecastsIn(log)
  const late = forecasts.filter(({ spent }) => spent >= AFTER_FETCHES)
  const stop = late.find(({ upTo, gained }) => upTo < SHARE * gained)
  return {
    plans: late.length,
    exceeded: rounded(late.filter(({ came, upTo }) => came > upTo).length / late.length),
    expectedOfWhatCame: rounded(sumOf(late, 'expected') / sumOf(late, 'came')),
    stop: stop ?? 'never: it was not sure that less was left',
    forecasts: forecasts.map((forecast) => Object.values(forecast).map(rounded).join(' ')),
  }
}

/** Titles of pages, evenly spread over all folders: pages that are there. */
function titlesIn(folders: readonly string[]): string[] {
  const titles = folders.flatMap((folder) =>
    globSync('**/*.html', { cwd: folder })
      .sort()
      .filter((_, place) => place % 10 === 0)
      .flatMap(
        (file) => readFileSync(join(folder, file), 'utf8').match(/<title>([^<]+)/i)?.[1] ?? [],
      ),
  )
  const step = titles.length / QUERIES
  return Array.from({ length: QUERIES }, (_, i) => wordsOf(titles[Math.floor(i * step)]))
}

/** As somebody would type it. */
function wordsOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
  return words.slice(0, 4).join(' ')
}

function forecastsIn(log: string): Forecast[] {
  const cycles = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"event":"cycle"'))
    .map((line) => JSON.parse(line) as Cycle)
  const end = cycles.at(-1)?.gained ?? 0
  // A cycle's line has what was gained at its end, and what was expected at its beginning.
  return cycles.slice(1).flatMap(({ left }, i) => {
    const { spent, gained = 0 } = cycles[i]
    return left ? [{ spent, gained, expected: left.gain, upTo: left.upTo, came: end - gained }] : []
  })
}

interface Cycle {
  readonly spent: number
  readonly gained?: number
  readonly left?: { readonly gain: number; readonly upTo: number }
}

function sumOf(forecasts: readonly Forecast[], field: 'expected' | 'came'): number {
  return forecasts.reduce((sum, forecast) => sum + forecast[field], 0)
}
