import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { runCycle } from '#crawl/cycle.ts'
import { listFetcher } from '#crawl/list-fetcher.test-kit.ts'
import { crawlState } from '#crawl/plan-cycle.ts'
import type { Fetcher, HostState, RobotsRecord } from '#crawl/ports.ts'
import { knowledge } from '#learn/knowledge.ts'
import { newPagesBy } from '#policy/planning/new-pages.test-kit.ts'
import { askTables } from '../database/ask-tables.test-kit.ts'
import { CrawlStore } from '../state/crawl-store.ts'
import { rebuildTables } from '../state/rebuild-tables.ts'
import { replayCrawl } from '../state/replayed-crawl.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

const NOW = 1_800_000_000
const YEARS_AHEAD = NOW + 5 * 365 * 86_400
const robots: RobotsRecord = {
  ...{ origin: 'https://a.org', kind: 'file', text: '', failures: 0 },
  ...{ fetchedAt: YEARS_AHEAD, validUntil: YEARS_AHEAD + 3_600, textAt: YEARS_AHEAD },
}
const host: HostState = {
  ...{ host: 'a.org', readyAt: YEARS_AHEAD + 5, backoffUntil: YEARS_AHEAD + 600 },
  ...{ backoffSeconds: 600, failures: 0 },
}

/** A run by a clock that shows `at`: one page is had, one failed. */
async function crawlAt(at: number): Promise<void> {
  const fetcher: Fetcher = listFetcher(async function* (requests) {
    for (const { id, url } of requests) {
      const attempt = { id, url, at, ms: 1 }
      yield url.endsWith('/busy')
        ? { ...attempt, kind: 'failed', reason: 'status 500', status: 500, sent: true }
        : { ...attempt, kind: 'gone', status: 404, bytes: 0 }
    }
  })
  const store = await CrawlStore.open(dir)
  const { frontier, ...stored } = await store.load()
  const seeds = ['gone', 'busy'].map((path) => `https://a.org/${path}`)
  for (const seed of seeds) frontier.add(seed, 'seed', 0, at)
  await store.saveSettings({ seeds: JSON.stringify(seeds) })
  await store.beginRun(at, frontier)
  const memory = { hostStates: [host], robotsRecords: [robots], hostTrusts: [] }
  store.rememberFetcher({ memory: async () => memory }, await store.fetcherMemory(), at)
  const state = crawlState(frontier, stored)
  const rules = { policy: newPagesBy('bfs', state), seed: 1 }
  const ports = { fetcher, repository: store, clock: { now: () => at } }
  await runCycle(state, rules, ports, { budget: 9 })
  store.close()
}

test('what a clock years ahead noted counts as of now, with pauses as long as they were', async () => {
  await crawlAt(YEARS_AHEAD)
  const store = await CrawlStore.open(dir)
  expect(await store.mendFutureTimes(NOW)).toBe(2)
  const { frontier } = await store.load()
  const busy = frontier.urls.find('https://a.org/busy')!
  expect(frontier.retryAtOf(busy) - NOW).toBeCloseTo(300)
  expect(frontier.lastVisitOf(frontier.urls.find('https://a.org/gone')!)).toBe(NOW)
  expect(frontier.discoveries.firstSeenOf(busy)).toBe(NOW)
  expect(await store.fetcherMemory()).toEqual({
    hostStates: [{ ...host, readyAt: NOW + 5, backoffUntil: NOW + 600 }],
    robotsRecords: [{ ...robots, fetchedAt: NOW, validUntil: NOW + 3_600, textAt: NOW }],
    hostTrusts: [],
  })
  // Once and for all: an hour later the host is free.
  expect(await store.mendFutureTimes(NOW + 3_600)).toBe(0)
  expect((await store.fetcherMemory()).hostStates[0].backoffUntil).toBe(NOW + 600)
  store.close()
})

test('tables that are made anew from the log have the times that were mended', async () => {
  await crawlAt(YEARS_AHEAD)
  const store = await CrawlStore.open(dir)
  await store.mendFutureTimes(NOW)
  store.close()
  await crawlAt(NOW + 1_000)
  const rows = async () => ({
    fetches: await askTables(dir, 'SELECT url_id, fetched_at, retry_at FROM fetch_log ORDER BY id'),
    urls: await askTables(dir, 'SELECT id, first_seen FROM url ORDER BY id'),
    cycles: await askTables(dir, 'SELECT cycle, started_at, ended_at FROM cycle ORDER BY cycle'),
    hosts: await askTables(dir, 'SELECT * FROM host_state'),
  })
  const before = await rows()
  await rebuildTables(dir)
  expect(await rows()).toEqual(before)

  // Plans of later runs went by other times than the log tells: none is made again.
  const folder = join(dir, 'replayed')
  mkdirSync(folder)
  await using replayed = await replayCrawl(dir, folder, knowledge())
  const changes = await Array.fromAsync(replayed.changes())
  const clock = changes.find(({ head }) => head.kind === 'clock')!
  await expect(replayed.take(clock.number, async () => {})).rejects.toThrow(/clock was set back/)
})

test('what was noted by a clock that was right, or a moment ahead, stays as it is', async () => {
  await crawlAt(NOW)
  const rows = () => askTables(dir, 'SELECT fetched_at, retry_at FROM fetch_log ORDER BY id')
  const before = await rows()
  const store = await CrawlStore.open(dir)
  expect(await store.mendFutureTimes(NOW - 30)).toBe(0)
  store.close()
  expect(await rows()).toEqual(before)
})
