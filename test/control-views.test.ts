import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { type ControlRoom, openControlRoom } from '#app/server/control/control-room.ts'
import {
  type ApiDocument,
  askSite,
  misfitsOf,
  wrongLimits,
} from '#app/server/http/openapi.test-kit.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { beliefView, learntView } from '#library/views/belief-view.ts'
import { boardView } from '#library/views/board-view.ts'
import { changesView } from '#library/views/changes-view.ts'
import { hostsView, hostView } from '#library/views/host-views.ts'
import { overview, standing } from '#library/views/overview.ts'
import { explainedPage, pageView } from '#library/views/page-view.ts'
import { queriesView, queryView, wantedPages } from '#library/views/query-views.ts'
import {
  type WatchedCrawl,
  WholeLook,
  watchCrawl,
  watchTables,
} from '#library/views/watched-crawl.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'

/** They need crawls and plans: CI alone has the time. */
const test = anyTest.runIf(isThorough)

const folder = sharedFolder()
const dir = join(folder, 'crawl')
let watched: WatchedCrawl<WholeLook>
let look: WholeLook
let room: ControlRoom

const crawl = (week: number, budget: number) =>
  forager(
    'crawl',
    '--archive',
    join(folder, 'web'),
    '--at',
    `${week}`,
    '--dir',
    dir,
    '--budget',
    `${budget}`,
  )
const told = async (...args: string[]) => {
  const { stdout, stderr, code } = await forager(...args, '--dir', dir, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}
/** As JSON: what is left out there is left out here. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const rowsOf = (sql: string) => askTables(dir, sql)
const numberOf = async (sql: string) => Number(Object.values((await rowsOf(sql))[0])[0])

async function seen(of: WatchedCrawl<WholeLook>): Promise<WholeLook> {
  const now = await of.see()
  if (now.kind !== 'crawl') throw new Error(now.kind)
  return now.look
}

beforeAll(async () => {
  if (!isThorough) return
  const web = generateModelWeb({ seed: 8, pages: 500, weeks: 9 })
  await writeArchive(join(folder, 'web'), web)
  const lines = web.workload!.queries.map(({ text }, i) => `"${text}",${1 + (i % 5)}`)
  writeFileSync(join(folder, 'log.csv'), `query,count\n${lines.join('\n')}\n`)
  await forager('queries', 'import', join(folder, 'log.csv'), '--format', 'csv', '--dir', dir)
  await crawl(0, 60)
  await crawl(4, 100)
  await crawl(8, 140)
  watched = watchCrawl({ dir })
  look = await seen(watched)
  room = openControlRoom({ crawl: { dir } })
})
afterAll(async () => {
  await watched?.[Symbol.asyncDispose]()
  await room?.close()
})

test('the overview has the numbers of status, and its curves end where the tables do', async () => {
  const { status, stretches, course } = await overview(look)
  const { alarms, ...more } = await standing(look)
  const all = { ...status, ...more, budget: { ...status.budget, alarms } }
  expect(plain(all)).toEqual(await told('status'))
  await using tables = watchTables({ dir })
  const alone = await tables.see()
  if (alone.kind !== 'crawl') throw new Error(alone.kind)
  expect(alone.look).not.toBeInstanceOf(WholeLook)
  expect((await overview(alone.look)).status).toEqual(status)
  const fetches = await numberOf('SELECT sum(cost) FROM fetch_log')
  const sums = stretches.flatMap(({ acquire, refresh, discover }) => [acquire, refresh, discover])
  expect(sums.reduce((sum, some) => sum + some, 0)).toBe(fetches)
  expect(course.at(-1)!.fetches).toBe(fetches)
  expect(course.at(-1)!.gained).toBeCloseTo(status.realisedGain!, 9)
  expect(course.at(-1)!.price).toBe(status.budget!.prices.at(-1)!.price)
})

test('queries are as forager queries needy lists them, and can be looked for', async () => {
  const needy = await told('queries', 'needy', '--limit', '1000')
  const ask = { text: '', order: 'neediness', offset: 0, limit: 1000 } as const
  const all = await queriesView(look, ask)
  const shown = all.queries.map(({ share: _, results: __, since: ___, ...query }) => query)
  expect(plain(shown)).toEqual(needy.queries)
  const changed = await numberOf(
    `SELECT max(c.ended_at) FROM query_progress p JOIN cycle c ON c.cycle = p.cycle WHERE new_results > 0 AND query = '${all.queries[0].query}'`,
  )
  expect(all.queries[0].since).toBe(changed)
  expect(all.queries.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
  const [word] = all.queries[3].query.split(' ')
  const some = await queriesView(look, { ...ask, text: word })
  expect(some.matching).toBe(
    needy.queries.filter((one: { query: string }) => one.query.includes(word)).length,
  )
  const second = await queriesView(look, { ...ask, order: 'weight', offset: 1, limit: 2 })
  expect(second.queries.length).toBe(2)
  expect(second.queries[0].weight).toBeGreaterThanOrEqual(second.queries[1].weight)
})

test('a query shows what searchers get, what was done for it, and the pages that it wants', async () => {
  const ask = { text: '', order: 'neediness', offset: 0, limit: 1 } as const
  const [{ query }] = (await queriesView(look, ask)).queries
  const { answer, history, listed } = (await queryView(look, query))!
  const search = await told('search', query)
  expect(answer.results.map(({ url }) => url)).toEqual(
    search.results.map(({ url }: { url: string }) => url),
  )
  expect(listed.best?.url).toBe(answer.results[0].url)
  expect(history.length).toBe(
    await numberOf(`SELECT count(*) FROM query_progress WHERE query = '${query}'`),
  )
  expect(await queryView(look, 'nobody asked this')).toBeUndefined()
  const [wanted] = await wantedPages(look, query)
  const explained = await told('explain', wanted.url)
  expect(explained.bid.gain).toBeCloseTo(wanted.bid, 9)
  const wish = explained.demand.queries.find((one: { query: string }) => one.query === query)
  expect(wish.expected).toBeCloseTo(wanted.expected, 9)
})

test('a page is explained as by forager explain, and has its fetches from the tables', async () => {
  const [{ url, fetches: count }] = (await rowsOf(
    'SELECT url, count(*) AS fetches FROM fetch_log JOIN url ON url.id = url_id GROUP BY url ORDER BY fetches DESC, url LIMIT 1',
  )) as { url: string; fetches: bigint }[]
  const explained = plain(await explainedPage(look, url))
  const { heldBackBy: holds, ...rest } = await told('explain', url)
  expect({ ...explained, heldBackBy: 0 }).toEqual({ ...rest, heldBackBy: 0 })
  expect(explained.heldBackBy.map(({ kind }: { kind: string }) => kind)).toEqual(
    holds.map(({ kind }: { kind: string }) => kind),
  )
  const page = await pageView(look, url)
  expect(page.fetches.length).toBe(Number(count))
  expect(plain(page.fetches)).toEqual(explained.fetches)
  const unknown = await pageView(look, `${url}/never-heard-of`)
  expect(unknown).toMatchObject({ known: false, fetches: [] })
  expect(await explainedPage(look, `${url}/never-heard-of`)).toMatchObject({
    nearest: expect.arrayContaining([url]),
  })
})

test('belief is told as by status, class by class, and random fetches beside chosen ones', async () => {
  const { forecasts, random, classes, chosen } = await beliefView(look)
  const { alarms, corrections } = await learntView(look)
  const { budget } = await told('status')
  expect(plain({ forecasts, random, alarms })).toEqual({
    forecasts: budget.forecasts,
    random: budget.random,
    alarms: budget.alarms,
  })
  const measured = await numberOf(
    'SELECT count(*) FROM fetch_log WHERE realised_gain IS NOT NULL AND coalesce(thought_acquire, thought_refresh) IS NOT NULL',
  )
  expect(classes.reduce((sum, { fetches }) => sum + fetches, 0)).toBeLessThanOrEqual(measured)
  expect(classes.length).toBeGreaterThan(1)
  expect(chosen.fetches).toBeGreaterThan(0)
  for (const { points } of corrections)
    for (const { predicted, corrected } of points)
      expect(corrected / predicted).toBeLessThanOrEqual(20)
})

test('what a policy change did is told by as many fetches before it as after it', async () => {
  const other = join(folder, 'other')
  const at = (policy: string, budget: string) =>
    forager(
      ...['crawl', '--archive', join(folder, 'web'), '--at', '0', '--dir', other],
      ...['--policy', policy, '--budget', budget],
    )
  await forager('queries', 'import', join(folder, 'log.csv'), '--format', 'csv', '--dir', other)
  await at('bfs', '60')
  await using watching = watchCrawl({ dir: other })
  expect((await beliefView(await seen(watching))).policyChange).toBeUndefined()
  await at('impact', '100')
  await using later = watchCrawl({ dir: other })
  const { policyChange } = await beliefView(await seen(later))
  const gains = await askTables(
    other,
    `SELECT avg(realised_gain) FILTER (WHERE cycle >= ${policyChange!.cycle}) AS after FROM fetch_log WHERE cost > 0`,
  )
  expect(policyChange).toMatchObject({ from: 'bfs', to: 'impact' })
  expect(policyChange!.after.fetches).toBe(40)
  expect(policyChange!.before.fetches).toBe(40)
  expect(policyChange!.after.meanGain).toBeCloseTo(Number(gains[0].after), 9)
})

test('hosts share the whole budget and the whole gain, and sections share their host', async () => {
  const all = await hostsView(look, { named: '', offset: 0, limit: 500 })
  const sum = (
    of: readonly { readonly fetches: number; readonly gain: number; readonly known: number }[],
  ) =>
    of.reduce(
      (total, one) => [total[0] + one.fetches, total[1] + one.gain, total[2] + one.known],
      [0, 0, 0],
    )
  const [fetches, gain, known] = sum(all.listed)
  expect(fetches).toBe(all.fetches)
  expect(gain).toBeCloseTo(all.gain, 9)
  expect(known).toBe((await overview(look)).status.known)
  expect(all.listed.length).toBe(all.hosts)
  const [first] = all.listed
  const host = (await hostView(look, first.host))!
  expect(sum(host.sections)[0]).toBe(host.fetches)
  expect(host.shareOfFetches).toBeCloseTo(host.fetches / fetches, 9)
  const found = await hostsView(look, { named: first.host.slice(1, -1), offset: 0, limit: 5 })
  expect(found.listed.map((one) => one.host)).toContain(first.host)
  expect(await hostView(look, 'no.such.host')).toBeUndefined()
})

test('the board is the plan, and more budget never brings less', async () => {
  const board = await boardView(look, 20)
  expect(plain(board.plan)).toMatchObject(await told('plan', '--fetches', '20'))
  const gains = board.budgets.map(({ gain }) => gain)
  expect(gains.length).toBe(4)
  expect(gains).toEqual(gains.toSorted((a, b) => a - b))
  expect(board.aroundPrice!.reduce((sum, { bids }) => sum + bids, 0)).toBe(board.bids)
  for (const { bid } of board.belowPrice) expect(bid).toBeLessThanOrEqual(board.plan.price!)
})

test('changes since a day are those of the fetch log, by section', async () => {
  const [{ at }] = (await rowsOf(
    'SELECT max(started_at) AS at FROM cycle WHERE started_at < (SELECT max(started_at) FROM cycle)',
  )) as { at: number }[]
  for (const since of [0, at]) {
    const ask = { since, section: '', offset: 0, limit: 1000 }
    const { pages, sections } = await changesView(look, ask)
    for (const what of ['added', 'changed', 'gone'] as const)
      expect(
        sections.reduce((sum, section) => sum + section[what], 0),
        what,
      ).toBe(pages.filter((page) => page.what === what).length)
    const one = await changesView(look, { ...ask, section: sections[0].section })
    const { added, changed, gone } = sections[0]
    expect(one.pages.length).toBe(added + changed + gone)
    expect(one.pages.every(({ url }) => url.includes(sections[0].section))).toBe(true)
  }
  const all = await changesView(look, { since: 0, section: '', offset: 0, limit: 1000 })
  const held = await numberOf(`SELECT count(DISTINCT url_id) FROM fetch_log WHERE outcome = 'page'`)
  expect(all.pages.filter(({ what }) => what === 'added').length).toBe(held)
})

const site = () => ({
  routes: room.routes,
  onError: (error: unknown) => {
    throw error
  },
})

test('every view is answered as its description says, and has a page', async () => {
  const document: ApiDocument = JSON.parse(
    (await askSite(site(), '/api/control/openapi.json')).body,
  )
  const [{ query }] = (await queriesView(look, { text: '', order: 'weight', offset: 0, limit: 1 }))
    .queries
  const [{ host }] = (await hostsView(look, { named: '', offset: 0, limit: 1 })).listed
  const { url } = (await boardView(look, 20)).plan.fetches[0]
  const asked: Record<string, Record<string, string>> = {
    ...{ overview: {}, queries: {}, belief: {}, hosts: {}, board: {}, changes: {} },
    ...{ query: { q: query }, page: { url }, host: { name: host } },
  }
  for (const [name, parameters] of Object.entries(asked)) {
    const path = `/api/control/${name}`
    const answer = await askSite(site(), path, new URLSearchParams(parameters).toString())
    expect(answer.status, name).toBe(200)
    expect(misfitsOf(document, path, answer), name).toEqual([])
    const page = name === 'overview' ? '/control' : `/control/${name}`
    const shown = await askSite(site(), page, new URLSearchParams(parameters).toString())
    expect(shown.status, page).toBe(200)
    expect(shown.body).toContain('<h1>')
  }
  expect(Object.keys(document.paths).sort()).toEqual(
    [
      ...Object.keys(asked).map((name) => `/api/control/${name}`),
      '/api/control/openapi.json',
    ].sort(),
  )
  for (const [path, query] of [
    ['/api/control/query', 'q=nobody'],
    ['/api/control/host', 'name=nobody'],
    ['/api/control/page', 'url=%3A%3A'],
  ]) {
    const answer = await askSite(site(), path, query)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(misfitsOf(document, path, answer)).toEqual([])
  }
  for (const name of ['queries', 'hosts', 'changes']) {
    const statusOf = async (query: string) =>
      (await askSite(site(), `/api/control/${name}`, query)).status
    expect(await wrongLimits(document, `/api/control/${name}`, {}, statusOf)).toEqual([])
  }
})

test('pages show the same numbers as the library, and whatever people ask stays words', async () => {
  const pageOf = async (path: string, query = '') => (await askSite(site(), path, query)).body
  const { status } = await overview(look)
  const { states, board } = await standing(look)
  const home = await pageOf('/control')
  for (const number of [status.spent, status.known])
    expect(home).toContain(number.toLocaleString('en'))
  const later = await pageOf('/control/part/standing')
  for (const number of [states.page!, board.urls])
    expect(later).toContain(number.toLocaleString('en'))
  const evil = '<script>alert(1)</script>"\'&'
  for (const path of ['queries', 'hosts', 'changes', 'page', 'query', 'host']) {
    const name = { page: 'url', host: 'name', changes: 'section' }[path] ?? 'q'
    const body = await pageOf(`/control/${path}`, new URLSearchParams({ [name]: evil }).toString())
    expect(body, path).toContain('<h1>')
    expect(body, path).not.toContain('<script>alert')
  }
})

test('who watches keeps nobody from crawling on, and sees what came of it', async () => {
  let news = 0
  await using watching = watchCrawl({ dir }, { restFactor: 0, onNews: () => news++ })
  const before = await overview(await seen(watching))
  const { code, stderr } = await crawl(8, 150)
  expect(code, stderr).toBe(0)
  await expect
    .poll(async () => (await overview(await seen(watching))).status.spent, { timeout: 60_000 })
    .toBe(150)
  expect(before.status.spent).toBe(140)
  expect(news).toBeGreaterThanOrEqual(2)
})

test('an empty directory, and one that was never made, have nothing to see yet', async () => {
  for (const name of ['never-made', '.']) {
    await using empty = watchCrawl({ dir: join(folder, 'web', name) })
    expect(await empty.see()).toEqual({ kind: 'nothing' })
  }
})
