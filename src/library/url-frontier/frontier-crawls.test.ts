import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { CrawlRefused, FrontierCrawls } from './frontier-crawls.ts'
import { ToldWhenDue } from './told-when-due.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

test.each(['../x', '..', '.x', 'a/b', 'a\\b', 'a\n', '', 'x'.repeat(65), 'A\0'])(
  'a crawl is not called %j, as that is no name of a folder here',
  async (id) => {
    await using crawls = new FrontierCrawls({ dir }, () => {})
    expect(() => crawls.of(id)).toThrow(CrawlRefused)
    expect(readdirSync(dir)).toEqual([])
  },
)

test.each(['inactive', 'Inactive', 'DEFAULT.urls.jsonl', 'DEFAULT.urls.jsonl.new'])(
  'a crawl called %s would be in the place of a file of ours',
  async (id) => {
    await using crawls = new FrontierCrawls({ dir }, () => {})
    crawls.of('DEFAULT')
    expect(() => crawls.of(id)).toThrow(CrawlRefused)
    expect(await crawls.delete(id)).toBe(0)
    expect(readdirSync(dir)).toEqual(['DEFAULT.urls.jsonl'])
  },
)

test('a crawl that is being deleted is not made anew meanwhile, and its file takes nothing more', async () => {
  await using crawls = new FrontierCrawls({ dir }, () => {})
  const crawl = crawls.of('A')
  const url = 'https://a.example/'
  crawl.ledger.put(url, { key: 'k', meta: {}, due: 2e9, at: 1 })
  const deleted = crawls.delete('A')
  expect(() => crawls.of('A')).toThrow(/being deleted/)
  expect(await deleted).toBe(1)
  expect(() => crawl.ledger.put(url, { key: 'k', meta: {}, due: 1, at: 1 })).toThrow()
  expect(crawls.of('A').ledger.size).toBe(0)
})

test('a page that is sent with a URL that was only found is not kept with it', async () => {
  await using crawls = new FrontierCrawls({ dir }, () => {})
  const metadata = { 'forager.content': ['x'.repeat(100_000)], depth: ['1'] }
  const crawl = crawls.of('A')
  await crawl.know({ url: 'https://a.example/', key: 'k', metadata }, 2e9)
  await crawl.discover({ url: 'https://a.example/2', key: 'k', metadata })
  expect(readFileSync(join(dir, 'A.urls.jsonl'), 'utf8')).not.toMatch('xxx')
  expect(crawl.ledger.metadataOf('https://a.example/2')).toEqual({ depth: ['1'] })
})

test('what is due comes by its date, whatever the order in which it was told', () => {
  const time = { now: 0 }
  const told = new ToldWhenDue(() => time.now)
  for (const due of [5, 2, 9, 2, 7, 1]) told.add(`u${due}`, due)
  expect(told.nextDue()).toBe(1)
  time.now = 5
  expect(told.waiting().map(({ url }) => url)).toEqual(['u1', 'u2', 'u2', 'u5'])
  told.add('now', 3)
  told.taken()
  expect(told.waiting().map(({ url }) => url)).toEqual(['now'])
  told.taken()
  expect([told.nextDue(), told.hasDue()]).toEqual([7, false])
})
