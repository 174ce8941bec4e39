import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeEach, expect, test, vi } from 'vitest'
import { runCycle } from '#crawl/cycle.ts'
import { listFetcher } from '#crawl/list-fetcher.test-kit.ts'
import { type CrawlState, crawlState } from '#crawl/plan-cycle.ts'
import type { Fetcher } from '#crawl/ports.ts'
import { recoverCycle } from '#crawl/recover.ts'
import type { Frontier } from '#frontier/frontier.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { learnFrom } from '#learn/pages/learn-from.ts'
import { PageIndexer } from '#learn/text-index/index-pages.ts'
import { QueryTracker } from '#learn/text-index/track-queries.ts'
import { newPagesBy } from '#policy/planning/new-pages.test-kit.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { askTables } from '../database/ask-tables.test-kit.ts'
import { makeOldTables } from '../tables/first-edition.test-kit.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { CrawlStore } from './crawl-store.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

/** A web where page n links to 2n+1 and 2n+2 with telling anchors; every fifth fails, every seventh moved. */
const web: Fetcher = listFetcher(async function* (requests) {
  for (const { id, url } of requests) yield outcomeOf(id, url)
})

function outcomeOf(id: number, url: string): FetchOutcome {
  const n = Number(url.split('/').pop())
  const attempt = { id, url, at: 1000 + n, ms: 3.5 }
  const urlOf = (page: number) => `https://h${page % 4}.org/${page}`
  if (n % 5 === 4) return { kind: 'failed', ...attempt, reason: 'timeout', sent: true }
  if (n % 7 === 6)
    return { kind: 'redirect', ...attempt, status: 301, bytes: 10, target: urlOf(n * 2 + 1) }
  const links = [n * 2 + 1, n * 2 + 2].map((page) => ({
    url: urlOf(page),
    anchor: `page ${page}`,
    rel: page % 2 ? 2 : 0,
  }))
  const page = {
    form: 'page' as const,
    title: `Título ${n}`,
    text: 'téxt',
    links,
    noindex: n % 2 === 0,
    nofollow: false,
    language: 'en',
  }
  return {
    kind: 'page',
    ...attempt,
    status: 200,
    bytes: 100,
    page,
    contentHash: n.toString(16).padStart(16, '1'),
    etag: '"x"',
  }
}

const rulesFor = (state: CrawlState) => ({
  policy: newPagesBy('bfs', state),
  seed: 1,
})
const clock = { now: () => 1000 }

async function crawlSome(store: CrawlStore, cycles: number): Promise<Frontier> {
  const { frontier, cycle, spent } = await store.load()
  frontier.add('https://h0.org/0', 'seed', 0, 1)
  const state = crawlState(frontier, { cycle, spent })
  for (let turn = 0; turn < cycles; turn++)
    await runCycle(
      state,
      rulesFor(state),
      { fetcher: web, repository: store, clock },
      { budget: 10 },
    )
  return frontier
}

/** All that policies and reports can see of a frontier. */
function seenIn(frontier: Frontier) {
  const urls = Array.from({ length: frontier.size }, (_, url) => ({
    url: frontier.urls.urlOf(url),
    state: frontier.stateOf(url),
    source: frontier.discoveries.sourceOf(url),
    depth: frontier.discoveries.depthOf(url),
    firstSeen: frontier.discoveries.firstSeenOf(url),
    failures: frontier.failuresOf(url),
    retryAt: frontier.retryAtOf(url),
    links: Array.from(frontier.links.rowOf(url).targets),
    anchors: Array.from(frontier.links.rowOf(url).anchors, (anchor) =>
      frontier.links.anchors.at(anchor),
    ),
    rels: Array.from(frontier.links.rowOf(url).rels),
  }))
  return { urls, facts: frontier.graphFacts(5000, 1) }
}

test('a crawl read back is the crawl that was kept', async () => {
  const first = await CrawlStore.open(dir)
  const frontier = await crawlSome(first, 4)
  first.close()
  const second = await CrawlStore.open(dir)
  const stored = await second.load()
  expect(seenIn(stored.frontier)).toEqual(seenIn(frontier))
  expect(stored).toMatchObject({ cycle: 4, pending: [] })
  expect(stored.spent).toBeGreaterThan(10)
  second.close()
})

test('what a run left on its board is there for the next, until plans go by other settings', async () => {
  const store = await CrawlStore.open(dir)
  expect(await store.boardLeft()).toEqual([])
  const { frontier, cycle, spent } = await store.load()
  frontier.add('https://h0.org/0', 'seed', 0, 1)
  const state = crawlState(frontier, { cycle, spent })
  const ports = { fetcher: web, repository: store, clock }
  await runCycle(state, rulesFor(state), ports, { budget: 1 })
  const { plan } = await runCycle(state, rulesFor(state), ports, { budget: 10 })
  await runCycle(state, rulesFor(state), ports, { budget: 0 })
  store.close()
  const further = await CrawlStore.open(dir)
  await further.beginRun(2000, frontier)
  expect(plan?.urls.length).toBe(2)
  expect(await further.boardLeft()).toEqual(plan?.urls)
  const last = readdirSync(join(dir, 'log')).sort().at(-2)!
  const whole = readFileSync(join(dir, 'log', last))
  writeFileSync(join(dir, 'log', last), whole.subarray(0, 9))
  expect(await further.boardLeft()).toEqual([])
  writeFileSync(join(dir, 'log', last), whole)
  await further.saveSettings({ policy: 'another' })
  expect(await further.boardLeft()).toEqual([])
  further.close()
})

test('a crawl in two runs knows what a crawl in one run knows', async () => {
  const first = await CrawlStore.open(dir)
  await crawlSome(first, 2)
  first.close()
  const second = await CrawlStore.open(dir)
  const resumed = await crawlSome(second, 2)
  second.close()
  const other = await CrawlStore.open(join(dir, 'other'))
  const whole = await crawlSome(other, 4)
  other.close()
  expect(seenIn(resumed)).toEqual(seenIn(whole))
})

test('what a sitemap claims that is not to be followed is believed by no later run either', async () => {
  const store = await CrawlStore.open(dir)
  const { frontier } = await store.load()
  const map = frontier.add('https://a.org/map', 'seed', 0, 1)
  const page = frontier.add('https://a.org/page', 'seed', 0, 1)
  const links = [{ url: 'https://a.org/page', anchor: '', rel: 0, lastModified: 500 }]
  const outcome: FetchOutcome = {
    ...{ kind: 'page', id: map, url: 'https://a.org/map', at: 900, ms: 1, status: 200, bytes: 1 },
    page: { form: 'sitemap', title: '', text: '', links, noindex: true, nofollow: true },
    contentHash: 'a'.repeat(16),
  }
  const learnt = learnFrom(outcome, frontier, () => undefined)
  const fetches = [{ ...learnt, purpose: 'acquire' as const, predictedGain: 0 }]
  const record = { cycle: 1, startedAt: 900, endedAt: 900, planned: 1, fetches }
  await store.commit(record, frontier)
  store.close()
  const second = await CrawlStore.open(dir)
  const stored = await second.load()
  second.close()
  expect(frontier.claims.saysChanged(page, 100)).toBe(false)
  expect(stored.frontier.claims.saysChanged(page, 100)).toBe(false)
})

test('each fetch is kept with what it was worth, if queries are tracked', async () => {
  const store = await CrawlStore.open(dir)
  const { frontier } = await store.load()
  frontier.add('https://h1.org/1', 'seed', 0, 1)
  const state = crawlState(frontier)
  const ports = { fetcher: web, repository: store, clock }
  await runCycle(state, rulesFor(state), ports, { budget: 10 })
  const index = new TextIndex(defaultAnalyser)
  state.indexer = new PageIndexer(index)
  state.tracker = new QueryTracker([{ id: 'q', text: 'título 3', weight: 1 }], index)
  await runCycle(state, rulesFor(state), ports, { budget: 10 })
  const { gains } = state.lessons
  expect(gains.gain).toBeGreaterThan(0)
  // A crawl taken up decides by this whether to go on, as if it had never stopped.
  const { lessons } = await store.load()
  expect(lessons.gains.fetches).toBe(1) // the other one failed
  expect(lessons.gains.gain).toBe(gains.gain)
  expect(lessons.gains.pace()).toEqual(gains.pace())
  store.close()
  const sql =
    'SELECT url, realised_gain > 0 AS useful FROM fetch_log f JOIN url u ON u.id = url_id ORDER BY f.id'
  expect(await askTables(dir, sql)).toEqual([
    { url: 'https://h1.org/1', useful: null },
    { url: 'https://h3.org/3', useful: true },
    { url: 'https://h0.org/4', useful: false },
  ])
})

test('fetches of a cycle that was cut off are learnt from the journal, once', async () => {
  const first = await CrawlStore.open(dir)
  await crawlSome(first, 1)
  const outcome = outcomeOf(1, 'https://h1.org/1')
  await first.journal({ cycle: 2, purpose: 'acquire', predictedGain: 0.5, outcome })
  first.close() // without a commit, as after a kill
  appendFileSync(join(dir, 'segments', 'cycle-2.jsonl'), '{"cycle":2,"outcome":{"kind":"pa')

  for (const pendingExpected of [1, 0]) {
    const store = await CrawlStore.open(dir)
    const { frontier, cycle, spent, pending } = await store.load()
    expect(pending.length).toBe(pendingExpected)
    const state = crawlState(frontier, { cycle, spent })
    await recoverCycle(state, { pending }, store)
    expect(state).toMatchObject({ cycle: 2, spent: 2 })
    expect(frontier.stateOf(1)).toBe('page')
    store.close()
    expect(await askTables(dir, 'SELECT count(*)::INTEGER AS n FROM fetch_log')).toEqual([{ n: 2 }])
  }
  expect(readdirSync(join(dir, 'segments'))).toEqual([])
})

test('a cycle that was cut off ended with its latest answer: those of a fleet come in another order', async () => {
  const first = await CrawlStore.open(dir)
  await crawlSome(first, 1)
  for (const n of [2, 1]) {
    const outcome = outcomeOf(n, `https://h${n}.org/${n}`)
    await first.journal({ cycle: 2, purpose: 'acquire', predictedGain: 0.5, outcome })
  }
  first.close()
  const store = await CrawlStore.open(dir)
  const { frontier, cycle, spent, pending } = await store.load()
  const commit = vi.spyOn(store, 'commit')
  await recoverCycle(crawlState(frontier, { cycle, spent }), { pending }, store)
  expect(commit.mock.calls[0][0].endedAt).toBe(1002)
  store.close()
})

test('a journal damaged in the middle is reported, not skipped', async () => {
  const store = await CrawlStore.open(dir)
  writeFileSync(join(dir, 'segments', 'cycle-1.jsonl'), 'rubbish\n{}\n')
  await expect(store.load()).rejects.toThrow(/cycle-1\.jsonl is damaged \(line 1 /)
  store.close()
})

test('a directory of a newer program is refused, and says why', async () => {
  const store = await CrawlStore.open(dir)
  await store.saveSetting('schema_version', '99')
  store.close()
  await expect(CrawlStore.open(dir)).rejects.toThrow(/newer Forager \(format 99/)
})

test('a directory without tables yet is brought up to date', async () => {
  const instance = await DuckDBInstance.create(join(dir, 'state.duckdb'))
  const connection = await instance.connect()
  await connection.run('CREATE TABLE meta (key VARCHAR, value VARCHAR)')
  connection.closeSync()
  instance.closeSync()
  const store = await CrawlStore.open(dir)
  expect((await crawlSome(store, 1)).size).toBeGreaterThan(1)
  store.close()
})

test('a directory of an older program is upgraded, and loses nothing', async () => {
  await makeOldTables(
    dir,
    `
    INSERT INTO url (id, hash, url, host_id, depth, source, first_seen) VALUES
      (0, 1, 'https://h0.org/0', 0, 0, 'seed', 5), (1, 2, 'https://h1.org/1', 1, 1, 'link', 6);
    INSERT INTO host VALUES (0, 'h0.org', 'h0.org'), (1, 'h1.org', 'h1.org');
    INSERT INTO fetch_log
      (id, cycle, url_id, fetched_at, purpose, predicted_gain, outcome, status, cost, bytes, ms, changed, fresh,
       content_changed, new_urls, new_links, retry_at)
      VALUES (0, 1, 0, 7, 'acquire', 1, 'page', 200, 1, 10, 3, true, true, true, 1, 1, 0);
    INSERT INTO page
      (url_id, fetch_id, fetched_at, content_hash, etag, title, language, text_length, noindex, nofollow)
      VALUES (0, 0, 7, 'ab', '"x"', 'T', 'en', 4, false, false);
    INSERT INTO link VALUES (0, 0, 1, 0, 0);
    INSERT INTO anchor VALUES (0, 'one');
    INSERT INTO cycle VALUES (1, 7, 8, 1, 1, NULL)`,
  )
  const store = await CrawlStore.open(dir)
  const { frontier, cycle, spent } = await store.load()
  expect({ cycle, spent }).toEqual({ cycle: 1, spent: 1 })
  expect(frontier.stateOf(0)).toBe('page')
  expect([...frontier.unfetched(9)]).toEqual([1])
  expect(frontier.validators.of(0)).toEqual({ etag: '"x"' })
  await crawlSome(store, 1)
  store.close()
})

test('a file that is no database is refused with its name', async () => {
  writeFileSync(
    join(dir, 'state.duckdb'),
    'not a database, but long enough to be looked at'.repeat(200),
  )
  await expect(CrawlStore.open(dir)).rejects.toThrow(/state\.duckdb/)
})
