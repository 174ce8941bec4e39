import { join } from 'node:path'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { AnswerTruth } from '#lab/judging/answer-truth.ts'
import { splitQueries } from '#lab/judging/query-split.ts'
import { madeUpQueriesOfAllTimes } from '#lab/refresh/made-up-queries.ts'
import { seededRandom } from '#numeric/random.ts'
import { type FetchedUrl, fetchesOf, importLog, runCrawl } from './editions/edition.ts'
import { whileServingHosts } from './editions/hosts.ts'
import { benchmark } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'

const THIS = join(import.meta.dirname, '..')
/** Where nobody asked anything: synthetic queries. */
const QUERIES = 400
/** How recorded webs call their sitemaps and feeds. */
const LIST = /\.(xml|rss|atom)$/

/** What both editions have the same of. Pauses are off where only fetches count. */
const PARTS = {
  fetches: ({ budget }: { budget: number }) => [
    ...['--budget', budget, '--delay', 0, '--response-factor', 0],
  ],
  time: ({ seconds }: { seconds: number }) => ['--budget', 1_000_000, '--max-time', `${seconds}s`],
}

/** What one crawl came to. */
interface Came {
  readonly fetches: number
  readonly pages: number
  readonly lists: number
  readonly quality: number
}

/** Both crawls of a round. */
interface Run {
  readonly seed: number
  readonly other: Came
  readonly own: Came
}

/** What all crawls of a comparison have the same of. */
interface Facts {
  readonly archive: string
  readonly part: string
  readonly scope: string
  readonly percent: number
}

/**
 * The same crawl by another edition and by this one: an archive served over HTTP, each host at an address of its own,
 * with the same seeds and query log. Both are judged by searches that are not in that log.
 */
export default benchmark({
  about: 'Quality of crawls by another edition and this one, after as many fetches or as much time',
  flags: {
    ...{ other: '', archive: '', part: 'fetches', policy: 'unified', scope: 'anywhere' },
    ...{ rounds: 3, percent: 10, seconds: 60 },
  },
  async run({ other, archive: dir, part, policy, scope, rounds, percent, seconds }) {
    const archive = await readArchive(dir)
    const { queries: asked } = await readWorkload(dir)
    const queries = asked.length > 0 ? asked : madeUpQueriesOfAllTimes(archive, QUERIES)
    const web = new RecordedWeb(archive, archive.snapshotCount - 1)
    const truth = new AnswerTruth(web, queries)
    const budget = Math.round((percent / 100) * truth.pages.length)
    const limits = PARTS[part as keyof typeof PARTS]({ budget, seconds })
    const crawlBy = (home: string, seed: number): Promise<Came> => {
      const { training, testWeights } = splitQueries(queries, 'log', seededRandom(seed))
      return inFolder((folder) =>
        whileServingHosts(web, async (resolve) => {
          await importLog(home, folder, training)
          const rules = ['--policy', policy, '--scope', scope, '--seed', seed]
          await runCrawl(home, folder, [...web.seeds(), ...rules, ...limits, ...resolve])
          const fetches = await fetchesOf(folder)
          const isHeld = heldBy(fetches, truth)
          const pages = isHeld.reduce((sum, held) => sum + held, 0)
          const lists = fetches.filter(({ url }) => LIST.test(url)).length
          const quality = rounded(truth.quality(testWeights, isHeld) ?? 0)
          return { fetches: fetches.length, pages, lists, quality }
        }),
      )
    }
    const runs: Run[] = []
    for (let seed = 1; seed <= rounds; seed++) {
      const run = { seed, other: await crawlBy(other, seed), own: await crawlBy(THIS, seed) }
      console.error(JSON.stringify(run))
      runs.push(run)
    }
    const sumOf = (edition: 'own' | 'other') =>
      runs.reduce((sum, run) => sum + run[edition].quality, 0)
    const ratio = rounded(sumOf('own') / sumOf('other'))
    const facts = { archive: archive.site.id, part, policy, scope, percent, seconds, ratio }
    return { ...facts, runs, rows: runs.map((run) => rowOf(run, facts, rounds)) }
  },
})

/** One pair of crawls, as tables of `npm run results` have it. */
function rowOf({ seed, other, own }: Run, { archive, part, scope, percent }: Facts, pairs: number) {
  const [first, now] = [other.quality, own.quality]
  const lists = { firstLists: other.lists, nowLists: own.lists }
  const fetches = { firstFetches: other.fetches, nowFetches: own.fetches }
  const facts = { archive, part, scope, percent, pairs }
  return { ...facts, seed, ...fetches, ...lists, first, now, ratio: now / first }
}

/** By page of the archive: 1 if it was fetched. */
function heldBy(fetches: readonly FetchedUrl[], truth: AnswerTruth): Uint8Array {
  const isHeld = new Uint8Array(truth.pageCount)
  for (const { url, outcome } of fetches) {
    const page = outcome === 'page' ? truth.pageAt(url) : undefined
    if (page !== undefined) isHeld[page] = 1
  }
  return isHeld
}
