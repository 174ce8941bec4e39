import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explainText } from '#app/cli/explain/explain-text.ts'
import { holdText } from '#app/cli/explain/hold-text.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { explainUrl, type KnownUrlReport } from '#library/explain/explain-report.ts'
import { type OpenCrawl, openExistingCrawl } from '#library/open/open-crawl.ts'
import { openSearchService } from '#library/search/search-service.ts'
import { DEFAULTS, type Settings } from '#library/settings/settings.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const folder = sharedFolder()
const dir = join(folder, 'crawl')
const BUDGET = 20
/** A model of each plan is learnt from pairs of queries and pages: few are quick. */
const MOST_QUERIES = 150
const now = Date.now() / 1000

interface Plan {
  readonly fetches: readonly { readonly url: string; readonly bid: number; readonly why: string }[]
}
let impact: Plan['fetches']
let pageRank: Plan['fetches']
/** As the command line prints it: the page that the plan has at eighth place. */
let printed: KnownUrlReport
let opened: OpenCrawl

async function plan(budget: number, policy: string): Promise<Plan['fetches']> {
  const args = ['plan', '--dir', dir, '--fetches', `${budget}`, '--policy', policy, '--json']
  return (JSON.parse((await forager(...args)).stdout) as Plan).fetches
}

/** What the command does, without a process for each URL. */
async function explain(url: string, settings: Partial<Settings>): Promise<KnownUrlReport> {
  const report = await explainUrl(
    url,
    opened,
    { ...DEFAULTS, dir, ...settings },
    BUDGET,
    opened.now,
  )
  return report as KnownUrlReport
}

beforeAll(async () => {
  const web = generateModelWeb({ seed: 5, pages: 600, weeks: 2 })
  await writeArchive(join(folder, 'web'), web)
  const log = join(folder, 'log.csv')
  const asked = web.workload!.queries.slice(0, MOST_QUERIES)
  const lines = asked.map(({ text }, i) => `"${text}",${1 + (i % 5)}`)
  writeFileSync(log, `query,count\n${lines.join('\n')}\n`)
  await forager('queries', 'import', log, '--format', 'csv', '--dir', dir)
  const crawl = ['crawl', '--archive', join(folder, 'web'), '--dir', dir, '--policy', 'impact']
  expect((await forager(...crawl, '--budget', '200')).code).toBe(0)
  // Sitemaps and feeds that sites name come first, and have no bids.
  impact = (await plan(BUDGET, 'impact')).filter(({ why }) => !/ names?$/.test(why))
  pageRank = await plan(60, 'pagerank')
  const { stdout } = await forager(
    ...['explain', impact[7].url, '--policy', 'impact', '--dir', dir, '--json'],
  )
  printed = JSON.parse(stdout)
  opened = await openExistingCrawl(dir, now, true)
})
afterAll(() => {
  opened.store.close()
})

describe('a page not fetched yet', () => {
  test('has the gain, the place and the reason that plan gives it', () => {
    const { url, policy, bid, demand, heldBackBy } = printed
    expect({ url, policy }).toEqual({ url: impact[7].url, policy: 'impact' })
    expect(bid).toMatchObject({ place: 8, planned: true, why: impact[7].why })
    expect(bid!.gain).toBeCloseTo(impact[7].bid, 6)
    expect(bid!.gain).toBeLessThanOrEqual(demand!.alone + 1e-9)
    expect(heldBackBy).toEqual([])
  })

  test('is wanted by queries whose results and scores are those of search', () => {
    const answered = printed.demand!.queries.filter(({ best }) => best)
    expect(answered.length).toBeGreaterThan(0)
    const service = openSearchService(dir)
    for (const { query, best, displaces, linkedFrom } of answered) {
      const { hits } = service.search(query, 0, 31)
      for (const shown of [best, displaces, ...linkedFrom])
        if (shown)
          expect(hits[shown.rank - 1]).toMatchObject({ url: shown.url, score: shown.score })
    }
    service.close()
  })

  test('that a plan cannot afford waits for better ones; its rivals bid as in the plan', async () => {
    const waiting = pageRank.toSorted((a, b) => b.bid - a.bid)[40] // sitemaps go first whatever they bid
    const { bid, demand, heldBackBy } = await explain(waiting.url, { policy: 'pagerank' })
    expect(bid).toMatchObject({ place: 41, planned: false, why: waiting.why })
    expect(heldBackBy).toMatchObject([{ kind: 'plan', better: 40 }])
    expect(demand!.madeUp).toBe(false)
    const gains = new Map(pageRank.map(({ url, bid }) => [url, bid]))
    for (const { url, gain } of demand!.rivals)
      if (gains.has(url)) expect(gain).toBeCloseTo(gains.get(url)!, 9)
  })

  test('is held back by the limit that leaves no room for it', async () => {
    const hostOf = (url: string) => new URL(url).host
    const second = pageRank.find(({ url }, i) =>
      pageRank.slice(0, i).some((earlier) => hostOf(earlier.url) === hostOf(url)),
    )!
    const holdsUnder = async (caps: Partial<Settings>) => {
      const { bid, heldBackBy } = await explain(second.url, { policy: 'pagerank', ...caps })
      expect(bid!.planned).toBe(false)
      return heldBackBy
    }
    expect(await holdsUnder({ perHost: 1 })).toMatchObject([
      { kind: 'limit', setting: 'perHost', most: 1, taken: 1 },
    ])
    expect(holdText((await holdsUnder({ maxPagesPerDomain: 1 }))[0])).toMatch(
      /--max-pages-per-domain 1: \d+ fetches/,
    )
  })

  test('is told of on one screen, in words', () => {
    const text = explainText(printed, opened.now)
    expect(text).toMatch(/bid +\S+ by impact: place 8 of [\d,]+ bids, in a plan of 20/)
    expect(text).toMatch(/board +place \d+ of \d+ on \S+: sent .+ if nothing better comes/)
    expect(text).toMatch(/wanted for +".+": \d+ % of it, weight \d/)
    expect(text).toMatch(/held back +by nothing$/)
    expect(text.split('\n').length).toBeLessThan(40)
  })
})

test('explain says whether a bid is above the price; plan and status say when the board is sent', async () => {
  const { bid } = await explain(impact[7].url, { policy: 'unified' })
  expect(bid!.isAbovePrice).toBe(bid!.gain >= bid!.price!)
  const planned = await forager('plan', '--dir', dir, '--fetches', '20', '--policy', 'unified')
  expect(planned.stdout).toContain('in: when it is sent at the pace of its host')
  const status = await forager('status', '--dir', dir)
  expect(status.stdout).toMatch(
    /board: [\d,]+ URLs may be fetched from \d+ hosts; \S+ has the most/,
  )
})

test('a page that is held tells its fetch, and the queries it answers as search does', async () => {
  const { query, best } = printed.demand!.queries.find((wish) => wish.best)!
  const week = 7 * 86_400
  const { about, copy, answers, fetches, bid, refreshAt } = await explain(best!.url, {
    policy: 'impact',
    refreshAfter: week,
  })
  expect({ state: about.state, bid }).toEqual({ state: 'page', bid: undefined })
  const answer = answers!.find((one) => one.query === query)
  expect(answer).toMatchObject({ rank: 1, score: best!.score })
  expect(fetches).toMatchObject([{ outcome: 'page', realisedGain: expect.any(Number) }])
  expect(copy!.versions).toBe(1)
  expect(refreshAt).toBe(fetches[0].at + week)
})

test('a URL the crawl does not know: known ones of its host, and the way to add it', async () => {
  const url = `${pageRank[0].url}-nowhere`
  const report = await explainUrl(url, opened, { ...DEFAULTS, dir }, BUDGET, opened.now)
  expect(report).toMatchObject({ known: false, url, heldBackBy: [] })
  expect(!report.known && report.nearest[0]).toBe(pageRank[0].url)
  expect(explainText(report, opened.now)).toContain(`forager crawl '${url}' --dir ${dir}`)
})

test('a mistake gets one clear line and exit code 2', async () => {
  const mistakes = [
    [['explain', 'mailto:x@example.org'], /not a web address/],
    [['explain', 'a.example', '--dir', 'none'], /no crawl in none/],
  ] as const
  const ends = await Promise.all(mistakes.map(([args]) => forager(...args)))
  for (const [i, { code, stdout, stderr }] of ends.entries()) {
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(mistakes[i][1])
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  }
})

test('robots.txt, a busy host, a failure and scope are named with what they say', async () => {
  const links = ['/private/plans', '/busy', 'http://other.test/'].map(
    (to) => `<a href="${to}">x</a>`,
  )
  using site = await startScriptedSite({
    '/robots.txt': (_, response) => {
      response.end('User-agent: *\nDisallow: /private/\n')
    },
    '/': html(`<title>Home</title>${links.join(' ')}`),
    '/busy': (_, response) => {
      response.writeHead(503, { 'retry-after': '7200' }).end()
    },
  })
  const live = join(folder, 'live')
  // Seeds come first: a host that asked for rest is asked for nothing else.
  const seeds = ['http://a.test/', 'http://a.test/private/plans']
  const crawl = ['crawl', ...seeds, '--scope', 'host', '--resolve', site.resolve]
  await forager(...crawl, '--delay', '0', '--no-sitemaps', '--dir', live, '--budget', '3')
  const crawled = await openExistingCrawl(live, now, true)
  const holdsOf = async (url: string) => {
    const settings = { ...DEFAULTS, dir: live }
    const report = await explainUrl(url, crawled, settings, BUDGET, now)
    const holds = Object.fromEntries(report.heldBackBy.map((hold) => [hold.kind, holdText(hold)]))
    return { ...(report as KnownUrlReport), holds, text: explainText(report, now) }
  }
  const forbidden = await holdsOf('http://a.test/private/plans')
  expect(forbidden.robots).toMatchObject({ allowed: false, group: '*' })
  expect(forbidden.holds.robots).toMatch(/\/private\//)
  expect(forbidden.text).toMatch(/^fetched .*: disallowed \(.*\), expected/m) // not: unchanged
  expect(forbidden.about.anchors).toEqual([
    { text: 'x', links: 1, pages: 1, from: ['http://a.test/'] },
  ])
  const busy = await holdsOf('http://a.test/busy')
  expect(busy.robots).toMatchObject({ allowed: true })
  expect(busy.holds.retry).toMatch(/until \d+ \w+ \d{4}/)
  expect(busy.holds.host).toMatch(/left alone until \d+ \w+ \d{4}.*503/)
  expect(busy.fetches).toMatchObject([{ outcome: 'failed', status: 503 }])
  expect((await holdsOf('http://other.test/')).holds.scope).toMatch(/outside the seeds' host/)
  crawled.store.close()
})
