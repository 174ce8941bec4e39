import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explainText } from '#app/cli/explain/explain-text.ts'
import { budgetLines } from '#app/cli/status/status-command.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { explainUrl, type KnownUrlReport } from '#library/explain/explain-report.ts'
import { type OpenCrawl, openExistingCrawl } from '#library/open/open-crawl.ts'
import { DEFAULTS, type Settings } from '#library/settings/settings.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import type { Parts } from '#policy/budget/added-bids.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'

const folder = sharedFolder()
const archive = join(folder, 'web')
const dir = join(folder, 'crawl')
const log = join(folder, 'log.csv')
let opened: OpenCrawl

interface ShownPlan {
  readonly policy: string
  readonly at: number
  readonly price?: number
  readonly fetches: readonly {
    readonly url: string
    readonly bid: number
    readonly parts: Parts
    readonly expected: number
    readonly probability?: number
    readonly why: string
  }[]
}

/** Long enough for copies to be worth a fetch beside the poorer of the new pages. */
const WEEKS = 41

/** A model of each plan is learnt from pairs of queries and pages: few are quick. */
const MOST_QUERIES = 150

/** Fetches of a plan, so many that copies are among them, and those neither sampled nor second looks. */
const PLANNED = 300
const CHOSEN = 269

const inFolder = (name: string) => join(folder, name)
const crawl = (...args: string[]) => forager('crawl', '--archive', archive, ...args)
const importLog = (into: string) =>
  forager('queries', 'import', log, '--format', 'csv', '--dir', into)

let unified: Awaited<ReturnType<typeof plan>>
let shares: ShownPlan

/** A plan, with what was said beside it. */
async function plan(...args: string[]): Promise<ShownPlan & { readonly notes: string }> {
  const { stdout, stderr } = await forager('plan', '--dir', dir, '--json', ...args)
  return { ...JSON.parse(stdout), notes: stderr }
}

/** What the command does, without opening the crawl for each URL. */
async function explain(url: string, settings: Partial<Settings> = {}): Promise<KnownUrlReport> {
  const all = { ...DEFAULTS, dir, ...settings }
  return (await explainUrl(url, opened, all, PLANNED, opened.now)) as KnownUrlReport
}

beforeAll(async () => {
  const web = generateModelWeb({ seed: 5, pages: 500, weeks: WEEKS })
  await writeArchive(archive, web)
  const asked = web.workload!.queries.slice(0, MOST_QUERIES)
  const lines = asked.map(({ text }, i) => `"${text}",${1 + (i % 5)}`)
  writeFileSync(log, `query,count\n${lines.join('\n')}\n`)
  await importLog(dir)
  for (const [run, budget] of [100, 160, 220].entries()) {
    const week = `${(run * (WEEKS - 1)) / 2}`
    const { code, stderr } = await crawl('--at', week, '--dir', dir, '--budget', `${budget}`)
    expect(code, stderr).toBe(0)
  }
  unified = await plan('--fetches', `${PLANNED}`, '--random-share', '0.1')
  shares = await plan('--policy', 'split:50/50/0', '--fetches', '10')
  opened = await openExistingCrawl(dir, Date.now() / 1000, true)
})
afterAll(() => {
  opened.store.close()
})

describe('a plan of one budget', () => {
  test('shows parts that add up to bids, what is expected at once, and the price', () => {
    const { policy, price, fetches } = unified
    expect({ policy, count: fetches.length }).toEqual({ policy: 'unified', count: PLANNED })
    expect(price).toBeGreaterThanOrEqual(0)
    for (const { bid, parts, expected, why } of fetches) {
      expect(parts.acquire + parts.refresh + parts.discover).toBeCloseTo(bid, 9)
      expect(expected).toBeGreaterThanOrEqual(0)
      expect(why).not.toBe('')
    }
    const isList = ({ why }: { why: string }) => /^a (sitemap|feed)/.test(why) // these go first
    const bids = fetches.slice(0, CHOSEN).flatMap((fetch) => (isList(fetch) ? [] : [fetch.bid]))
    expect(bids).toEqual(bids.toSorted((a, b) => b - a))
    expect(fetches.some(({ parts }) => parts.refresh > 0)).toBe(true)
  })

  test('is made for the time of the archive that was crawled, not for today', async () => {
    expect(unified.at).toBe((await readArchive(archive)).timeOf(WEEKS - 1))
    expect(unified.notes).toMatch(
      /an archive was crawled here, so the time is its own: \d+ \w+ 20\d\d/,
    )
  })

  test('names the chance of what was sampled', () => {
    const chances = unified.fetches.map(({ probability }) => probability)
    expect(chances.slice(0, CHOSEN)).toEqual(Array(CHOSEN).fill(undefined))
    for (const chance of chances.slice(CHOSEN + 1, -1)) expect(chance).toBeLessThan(1)
  })

  test('ends with a second look at what was no page months ago', () => {
    const look = unified.fetches.at(-1)
    expect(look).toMatchObject({ bid: 0, expected: 0, why: expect.stringMatching(/second look/) })
    expect(look).not.toHaveProperty('probability')
  })

  test('begins with copies that --refresh-after does not let grow older, as a crawl would', async () => {
    const { fetches } = await plan('--refresh-after', '1d', '--fetches', '6')
    const isOld = /the copy is \d+\.0 days old/
    const [old, others] = [fetches.slice(0, 3), fetches.slice(3)]
    expect(old.map(({ why }) => why)).toEqual(Array(3).fill(expect.stringMatching(isOld)))
    for (const { parts } of old) expect(parts.refresh).toBeGreaterThan(parts.acquire + 1e8)
    // The other half is for what is best.
    expect(others).toHaveLength(3)
    for (const { parts } of others) expect(parts.refresh).toBeLessThan(1e8)
  })

  test('may also be made by fixed shares, which have no price', () => {
    const { policy, price, fetches } = shares
    expect({ policy, price }).toEqual({ policy: 'split:50/50/0', price: undefined })
    expect(fetches.filter(({ parts }) => parts.refresh > 0).length).toBe(5)
  })
})

describe('explain', () => {
  test('a copy: its parts are those of the plan, with what they come from', async () => {
    const { fetches } = unified
    const best = fetches.find(({ parts }) => parts.refresh > 0)!
    const report = await explain(best.url)
    const { bid, parts, copy, answers, demand } = report
    // A sitemap that nobody has read goes first, whatever is bid for it.
    const place = 1 + fetches.filter((other) => other.bid > best.bid).length
    expect(bid).toMatchObject({ planned: true, place, why: best.why })
    expect(bid!.gain).toBeCloseTo(best.bid, 2)
    expect(bid!.isAbovePrice).toBe(bid!.gain > bid!.price!)
    const { refresh, discover } = parts!
    const { gainOfChange, staleDays, changedChance, correction, gone } = refresh!
    const { gainOfOthers, ageDays } = refresh!
    const ofCopy = gainOfChange * staleDays + gone!.gain * gone!.days
    const worth = ofCopy + (gainOfOthers * ageDays) / 2
    const atOnce = gainOfChange * changedChance + gainOfOthers + gone!.gain * gone!.chance
    expect(worth * correction).toBeCloseTo(bid!.parts!.refresh, 9)
    expect(atOnce * correction).toBeCloseTo(bid!.expected!, 9)
    expect(discover!.worth).toBe(bid!.parts!.discover)
    expect(discover!.links * discover!.days).toBeGreaterThan(0)
    expect(refresh!.clicks > 0).toBe(answers!.some(({ rank }) => rank <= 10))
    expect({ hasCopy: copy !== undefined, demand }).toEqual({ hasCopy: true, demand: undefined })
    const text = explainText(report, opened.now)
    expect(text).toMatch(/bid +\S+ by unified: place \d+ of .* the price, /)
    expect(text).toMatch(/parts +copies \S+ \+ links \S+ \(quality × days\)/)
    expect(text).toMatch(/freshness +.* days old, changed with \d+ %/)
    expect(text).toMatch(/new links +about /)
  })

  test('a new page: what it is worth until the horizon, and the queries behind', async () => {
    const { url } = shares.fetches.find(({ parts }) => parts.acquire > 0)!
    const { parts, bid, demand } = await explain(url)
    const { value, horizonDays } = parts!.acquire!
    expect(value * horizonDays).toBeCloseTo(bid!.parts!.acquire, 9)
    expect(parts!.refresh).toBeUndefined()
    expect(demand!.queries.length).toBeGreaterThan(0)
    const ofShares = (await explain(url, { policy: 'split:70/20/10' })).bid!
    expect({ planned: ofShares.planned, price: ofShares.price }).toEqual({ planned: true })
    expect(ofShares.gain).toBeCloseTo(bid!.parts!.acquire, 9)
  })

  test('a young copy has a bid, but is left alone', async () => {
    const { url } = unified.fetches.find(({ parts }) => parts.refresh > 0)!
    const report = await explain(url, { freshFor: 100 * 365 * 86_400 })
    expect(report.bid).toMatchObject({ planned: false })
    expect(report.heldBackBy).toMatchObject([{ kind: 'fresh', until: expect.any(Number) }])
  })
})

test('status tells tasks, prices, gains, and what forecasts came to', async () => {
  const { stdout } = await forager('status', '--dir', dir, '--json')
  const { budget, spent, cycles, realisedGain } = JSON.parse(stdout)
  const { inAll } = budget.tasks
  expect(inAll.acquire + inAll.refresh + inAll.discover).toBe(spent)
  expect(budget.prices.map(({ cycle }: { cycle: number }) => cycle).length).toBeLessThanOrEqual(
    cycles,
  )
  expect(budget.prices.length).toBeGreaterThan(2)
  const gained = budget.gains.reduce((sum: number, { gain }: { gain: number }) => sum + gain, 0)
  expect(gained).toBeCloseTo(realisedGain, 9)
  for (const { fetches, deciles, realised } of budget.forecasts) {
    const rows = deciles.map(({ rows }: { rows: number }) => rows)
    expect(rows.reduce((sum: number, count: number) => sum + count, 0)).toBe(fetches)
    expect(realised).toBeGreaterThanOrEqual(0)
  }
  expect(budget.forecasts.length).toBeGreaterThan(0)
  expect(budget.random.fetches).toBeGreaterThan(0)
  expect(budget.alarms).toEqual(expect.any(Array))
  const text = budgetLines(budget).join('\n')
  expect(text).toMatch(/spent on \d+ % new pages, \d+ % copies, \d+ % links/)
  expect(text).toMatch(/price [▁▂▃▄▅▆▇█]+ now /)
  expect(text).toMatch(/predicted \S+, realised \S+ .* \(rank correlation /)
})

// A slow one, for CI: forecasts are tested by themselves.
test.runIf(isThorough)(
  '--until-gain stops early, keeps most of the gain, and says what that costs',
  async () => {
    const [early, full] = [inFolder('early'), inFolder('full')]
    await Promise.all([early, full].map(importLog))
    const shared = ['--budget', '280', '--batch', '40']
    const mayStop = [...shared, '--dir', early, '--until-gain', '0.4']
    const runs = [crawl(...mayStop, '--json'), crawl(...shared, '--dir', full, '--json')]
    const [stopped, whole] = (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout))
    expect(whole).toMatchObject({ end: 'budget spent', spent: 280 })
    expect(stopped.end).toBe('little left to gain')
    expect(stopped.spent).toBeLessThan(260)
    expect(stopped.gained).toBeGreaterThan(0.6 * whole.gained)
    const { fetches, gain, upTo, shareOfGained } = stopped.left
    expect(upTo).toBeLessThan(0.4 * stopped.gained)
    expect(fetches).toBeLessThanOrEqual(280 - stopped.spent)
    expect(shareOfGained).toBeCloseTo(gain / stopped.gained, 9)
    expect(whole.left).toBeUndefined()
    const again = await crawl(...mayStop)
    expect(again.stdout).toMatch(
      /^little left to gain: .*\nthe \d+ fetches left would be expected to gain \S+ more, \S+ % of what was gained, and at most \S+ \(95 %\)\n/,
    )
    expect(again.stderr).toMatch(/smaller --until-gain/)
  },
)

test('without an index the default gives way to PageRank and says so; plans go by it from then on', async () => {
  const into = ['--dir', inFolder('bare')]
  const run = await crawl(...into, '--no-index', '--budget', '20', '--json')
  expect(run.code, run.stderr).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ policy: 'pagerank', spent: 20 })
  expect(run.stderr).toMatch(/without an index .* --policy pagerank/)
  const next = await forager('plan', ...into, '--json')
  expect(JSON.parse(next.stdout)).toMatchObject({ policy: 'pagerank' })
  expect(next.stderr).toMatch(/--policy pagerank as in the last run/)
})

test('shares of those who need no queries are kept without any; bids are not called quality then', async () => {
  const into = ['--dir', inFolder('plain'), '--policy', 'split:50/50/0:bfs,uniform,none']
  await crawl(...into, '--at', '0', '--budget', '20', '--no-sitemaps')
  const run = await crawl(...into, '--budget', '40', '--no-sitemaps', '--json')
  expect(JSON.parse(run.stdout).tasks).toEqual({ acquire: 10, refresh: 10, discover: 0 })
  const { stdout } = await forager('plan', ...into, '--fetches', '4')
  expect(stdout).toMatch(/bid: the part that the fetch is for, as its bidder counts/)
  expect(stdout).not.toMatch(/quality/)
  const [, url] = stdout.match(/(https?:\S+).* away from a seed/)!
  const explained = (await forager('explain', url, ...into)).stdout
  expect(explained).toMatch(
    /why +\d+ links? away from a seed\nparts +new pages \S+ \(as each bidder/,
  )
  expect(explained).not.toMatch(/of quality for/)
})

test('who goes by what searchers see says that no copy is fetched again while there is no log', async () => {
  const into = ['--dir', inFolder('unseen')]
  const policy = ['--policy', 'split:50/50/0:bfs,quality,none']
  const without = /no queries are known, and quality .*forager queries import/
  expect((await crawl(...into, ...policy, '--budget', '5')).stderr).toMatch(without)
  expect((await forager('plan', ...into, ...policy)).stderr).toMatch(without)
  expect((await forager('status', ...into)).stdout).toMatch(without)
  await importLog(inFolder('unseen'))
  expect((await forager('status', ...into)).stdout).not.toMatch(without)
})
