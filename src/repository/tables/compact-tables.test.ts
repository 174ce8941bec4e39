import { beforeEach, expect, test } from 'vitest'
import { runCycle } from '#crawl/cycle.ts'
import { listFetcher } from '#crawl/list-fetcher.test-kit.ts'
import { crawlState } from '#crawl/plan-cycle.ts'
import type { Fetcher } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { newPagesBy } from '#policy/planning/new-pages.test-kit.ts'
import { openDatabase } from '../database/open-database.ts'
import { CrawlStore } from '../state/crawl-store.ts'
import { loadFrontier } from '../state/load-frontier.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { compactTables } from './compact-tables.ts'
import { migrate } from './schema.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

const PAGES = 12
const urlOf = (page: number) => `https://a.org/${page}`

/** Pages that link to others every week anew, and date them as a sitemap does; one is gone in the end. */
function outcomeOf(id: number, url: string, week: number): FetchOutcome {
  const attempt = { id, url, at: 1000 * (week + 1), ms: 1, bytes: 1 }
  const page = Number(url.split('/').pop())
  if (page === 3 && week >= 8) return { kind: 'gone', ...attempt, status: 404 }
  const links = [1, 2, 3].map((step) => ({
    url: urlOf((page * step + week) % PAGES),
    anchor: `week ${week}`,
    rel: 0,
    lastModified: 100 * week,
  }))
  const text = `page ${page} of week ${week}`
  return {
    ...{ kind: 'page', ...attempt, status: 200 },
    page: { form: 'page', title: text, text, links, noindex: false, nofollow: false },
    contentHash: `${week}f${page}`.padEnd(16, '0'),
  }
}

async function crawlWeeks(weeks: number): Promise<void> {
  const store = await CrawlStore.open(dir)
  const { frontier } = await store.load()
  frontier.add(urlOf(0), 'seed', 0, 1)
  const state = crawlState(frontier)
  for (let week = 0; week < weeks; week++) {
    const fetcher: Fetcher = listFetcher(async function* (requests) {
      for (const { id, url } of requests) yield outcomeOf(id, url, week)
    })
    const rules = { policy: newPagesBy('bfs', state), refreshAfter: 1 }
    const ports = { fetcher, repository: store, clock: { now: () => 1000 * (week + 1) } }
    await runCycle(state, { ...rules, seed: 1 }, ports, { budget: 50 })
  }
  store.close()
}

function stateOf(frontier: Frontier) {
  return Array.from({ length: frontier.size }, (_, url) => ({
    url: frontier.urls.urlOf(url),
    state: frontier.stateOf(url),
    links: [...frontier.links.rowOf(url).targets],
    anchors: Array.from(frontier.links.rowOf(url).anchors, (text) =>
      frontier.links.anchors.at(text),
    ),
    inLinks: frontier.inLinksOf(url),
    claim: [500, 1000, 1100, 1200].map((time) => frontier.claims.saysChanged(url, time)),
  }))
}

test('a directory forgets replaced rows, and knows what it knew', async () => {
  await crawlWeeks(13)
  const store = await CrawlStore.open(dir)
  const before = (await store.load()).frontier
  store.close()
  const { connection, close } = await openDatabase(dir)
  await migrate(connection, dir)
  const { size } = before.links
  const compacted = await compactTables(connection, size, 0)
  expect(compacted).toEqual(['link', 'change_claim'])
  const count = await connection.runAndReadAll('SELECT count(*) FROM link')
  expect(Number(count.getRows()[0][0])).toBe(size)
  expect(await compactTables(connection, size, 0)).toEqual([])
  close()
  const again = await CrawlStore.open(dir)
  const after = (await again.load()).frontier
  again.close()
  expect(before.stateOf(before.urls.find(urlOf(3))!)).toBe('gone')
  expect(stateOf(after)).toEqual(stateOf(before))
})

test('a little waste is left alone', async () => {
  await crawlWeeks(13)
  const { connection, close } = await openDatabase(dir)
  const frontier = new Frontier()
  await loadFrontier(connection, frontier)
  expect(await compactTables(connection, frontier.links.size)).toEqual([])
  close()
})
