import { Console } from 'node:console'
import { join } from 'node:path'
import { namedRows } from '#repository/database/named-rows.ts'
import { openDatabaseToRead } from '#repository/database/open-database.ts'
import { foldersOf } from './field/folders.ts'
import { hostOf, SITES_WITH_SITEMAP } from './field/hosts.ts'
import { BAD_PREFIX, SITEMAP, SITEMAP_ONLY } from './field/site.ts'
import { stopping } from './field/stopping.ts'
import { complaintsOf, DELAY_MS, isPolite } from './flow/manners.ts'
import { shareOfPossible } from './flow/rates.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { type Asked, type Place, startCrawl, whileServing } from './harness/served-crawl.ts'

const SERVER = join(import.meta.dirname, 'field', 'server.ts')
const LIMITS = {
  /** Of the rate that politeness allows to all hosts that are not slow, from the first request on. */
  share: 0.9,
  /** Sitemaps of robots.txt are read within so many requests to their host. */
  sitemapWithin: 20,
  /** So many of the pages that are not there may be asked for before one knows better. */
  missing: 10,
}

/**
 * The field trial: real documentation, crawled as a new user would. `--folders A,B` names folders of HTML pages; by
 * default they are those of Debian's packages, below `--debian` where they are unpacked. `--part stop` is F4 of the report.
 */
export default benchmark({
  about: 'Crawls real documentation on six hosts as a new user would, beside a slow host',
  flags: { part: 'flow', folders: '', debian: '/', seconds: 40, policy: 'unified', budget: 1_000 },
  run: ({ part, folders, debian, seconds, policy, budget }) =>
    inFolder(async (dir) => {
      const sites = foldersOf(folders, debian)
      return whileServing(SERVER, sites, async ({ places, asked, next }) => {
        // Without the slow host, which has nothing to gain.
        if (part === 'stop') return stopping(places.slice(0, -1), sites, dir, budget)
        const seeds = places.map(([name]) => `http://${name}/`)
        const limits = ['--budget', budget, '--max-time', `${seconds}s`]
        const crawl = startCrawl(places, [...seeds, '--dir', dir, '--policy', policy, ...limits])
        await next()
        await crawl.ended
        const known = await knownOf(
          SITES_WITH_SITEMAP.map((site) => `http://${hostOf(site)}${SITEMAP_ONLY}`),
          dir,
        )
        return judged(asked, places, sites, known)
      })
    }),
})

/** Which of these URLs the crawl has heard of. */
async function knownOf(urls: readonly string[], dir: string): Promise<string[]> {
  const { connection, close } = await openDatabaseToRead(dir)
  const rows = await namedRows(connection, 'SELECT url FROM url', { url: String })
  close()
  const known = new Set(rows.map(({ url }) => url))
  return urls.filter((url) => known.has(url))
}

function judged(
  asked: readonly Asked[],
  places: readonly Place[],
  folders: readonly string[],
  sitemapOnlyKnown: readonly string[],
): object {
  const times = asked.map(({ at }) => at)
  // Each request stands for the delay after it.
  const span = [Math.min(...times), Math.max(...times) + DELAY_MS] as const
  const rows = places.map(([host], i) => ({
    folder: folders[i] ?? 'slow',
    ...rowOf(
      asked.filter((request) => request.host === host),
      span,
    ),
  }))
  new Console(process.stderr).table(rows)
  const quick = new Set(folders.map((_, i) => hostOf(i)))
  const { share, perSecond } = shareOfPossible(asked, quick, span)
  const missing = rows.reduce((sum, row) => sum + row.missing, 0)
  const complaints = complaintsOf(asked)
  const sitemapAt = SITES_WITH_SITEMAP.map((site) => rows[site].sitemapAt)
  const ok =
    share >= LIMITS.share &&
    missing <= LIMITS.missing &&
    sitemapOnlyKnown.length === SITES_WITH_SITEMAP.length &&
    sitemapAt.every((at) => at !== undefined && at <= LIMITS.sitemapWithin) &&
    isPolite(complaints)
  const flow = { share: rounded(share), perSecond: rounded(perSecond) }
  return { ok: mustHold(ok), limits: LIMITS, ...flow, missing, sitemapOnlyKnown, complaints, rows }
}

/** What one host was asked for. */
function rowOf(requests: readonly Asked[], [from, to]: readonly [from: number, to: number]) {
  const place = (path: string) => requests.findIndex((request) => request.path === path)
  const at = (path: string) => (place(path) < 0 ? undefined : place(path) + 1)
  const sitemap = requests[place(SITEMAP)]
  return {
    requests: requests.length,
    perSecond: rounded((1_000 * requests.length) / (to - from)),
    /** Which of the requests to this host it was. */
    sitemapAt: at(SITEMAP),
    sitemapAfterSeconds: sitemap && rounded((sitemap.at - from) / 1_000),
    sitemapOnlyAt: at(SITEMAP_ONLY),
    missing: requests.filter(({ path }) => path.startsWith(BAD_PREFIX)).length,
  }
}
