import { join } from 'node:path'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { AnswerTruth } from '#lab/judging/answer-truth.ts'
import { splitQueries } from '#lab/judging/query-split.ts'
import { seededRandom } from '#numeric/random.ts'
import { type FetchedUrl, fetchesOf, importLog, runCrawl } from './editions/edition.ts'
import { whileServingHosts } from './editions/hosts.ts'
import { benchmark } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'

const THIS = join(import.meta.dirname, '..')

/** How recorded webs call their sitemaps and feeds. */
const LIST = /\.(xml|rss|atom)$/

/** Flags of the crawl by what both editions have the same of; pauses are off where only fetches count. */
const PARTS = {
  fetches: ({ budget }: { budget: number }) => [
    ...['--budget', budget, '--delay', 0, '--response-factor', 0],
  ],
  time: ({ seconds }: { seconds: number }) => ['--budget', 1_000_000, '--max-time', `${seconds}s`],
}

/**
 * The same crawl by two editions: an archive served over HTTP, each host at an address of its own, with the same
 * seeds and query log. Both are judged by searches that are not in that log.
 */
export default benchmark({
  about: 'Quality of crawls by this edition and another, after as many fetches or as much time',
  flags: {
    ...{ other: '', archive: '', part: 'fetches', policy: 'unified', seed: 1 },
    ...{ percent: 10, seconds: 60 },
  },
  async run({ other, archive: dir, part, policy, seed, percent, seconds }) {
    const archive = await readArchive(dir)
    const { queries } = await readWorkload(dir)
    const web = new RecordedWeb(archive, archive.snapshotCount - 1)
    const truth = new AnswerTruth(web, queries)
    const { training, testWeights } = splitQueries(queries, 'log', seededRandom(seed))
    const budget = Math.round((percent / 100) * truth.pages.length)
    const qualityOf = (fetches: readonly FetchedUrl[]) => {
      const isHeld = new Uint8Array(truth.pageCount)
      for (const { url, outcome } of fetches) {
        const page = outcome === 'page' ? truth.pageAt(url) : undefined
        if (page !== undefined) isHeld[page] = 1
      }
      return rounded(truth.quality(testWeights, isHeld) ?? 0)
    }
    const figuresOf = async (home: string) =>
      inFolder((folder) =>
        whileServingHosts(web, async (resolve) => {
          const limits = PARTS[part as keyof typeof PARTS]({ budget, seconds })
          await importLog(home, folder, training)
          const flags = [...web.seeds(), '--policy', policy, '--seed', seed, ...limits]
          await runCrawl(home, folder, [...flags, ...resolve])
          const fetches = await fetchesOf(folder)
          const half = fetches.slice(0, Math.ceil(fetches.length / 2))
          const pages = fetches.filter(({ outcome }) => outcome === 'page').length
          const lists = fetches.filter(({ url }) => LIST.test(url)).length
          const figures = { fetches: fetches.length, pages, lists, quality: qualityOf(fetches) }
          return { ...figures, atHalf: qualityOf(half) }
        }),
      )
    const before = await figuresOf(other)
    const now = await figuresOf(THIS)
    return { archive: archive.site.id, part, seed, before, now, ratio: now.quality / before.quality }
  },
})
