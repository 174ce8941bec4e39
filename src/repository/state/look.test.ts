import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { JournalEntry } from '#crawl/ports.ts'
import { askTables } from '../database/ask-tables.test-kit.ts'
import { makeOldTables } from '../tables/first-edition.test-kit.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { CrawlStore } from './crawl-store.ts'
import { isInUse } from './look.ts'

let root: string
let dir: string
beforeEach(() => {
  root = temporaryFolder()
  dir = join(root, 'crawl')
})

const copyFolder = () => join(root, 'copy')

async function makeCrawl(): Promise<void> {
  const store = await CrawlStore.open(dir)
  await store.saveSetting('policy', 'bfs')
  store.close()
}

const entry: JournalEntry = {
  ...{ cycle: 1, purpose: 'acquire', predictedGain: 0 },
  outcome: { id: 0, url: 'https://a.org/', at: 1, ms: 1, bytes: 0, kind: 'gone', status: 410 },
}

/** Every file of the directory with what is in it. */
const filesIn = () =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name)).toString('base64')])

/** A process that holds the tables as a crawl does, until it is told to end. */
async function holdTables() {
  const script = `
    const { DuckDBInstance } = require('@duckdb/node-api')
    DuckDBInstance.create(process.argv[1]).then(async (instance) => {
      const connection = await instance.connect()
      await connection.run("INSERT INTO meta VALUES ('lately', 'written')")
      console.log('held')
      process.stdin.on('data', () => process.exit())
    })`
  const child = spawn(process.execPath, ['-e', script, join(dir, 'state.duckdb')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return async () => {
    const exit = once(child, 'exit')
    child.stdin.write('end')
    await exit
  }
}

test('two may look at once, where the tables lie', async () => {
  await makeCrawl()
  const one = await CrawlStore.openToLook(dir, copyFolder)
  const other = await CrawlStore.openToLook(dir, copyFolder)
  expect([await one.setting('policy'), await other.setting('policy')]).toEqual(['bfs', 'bfs'])
  expect((await one.load()).pending).toEqual([])
  expect(existsSync(copyFolder())).toBe(false)
  one.close()
  other.close()
})

test('tables that a crawl holds can be looked at with the latest that was written', async () => {
  await makeCrawl()
  expect(await isInUse(dir)).toBe(false)
  const letGo = await holdTables()
  expect(await isInUse(dir)).toBe(true)
  const store = await CrawlStore.openToLook(dir, copyFolder)
  expect(await store.setting('lately')).toBe('written')
  expect(await store.setting('policy')).toBe('bfs')
  store.close()
  expect(existsSync(copyFolder())).toBe(false)
  await letGo()
})

test('what a killed crawl had fetched is seen, and left for the next crawl to take up', async () => {
  await makeCrawl()
  const killed = await CrawlStore.open(dir)
  await killed.journal(entry)
  killed.close()
  const before = filesIn()
  const store = await CrawlStore.openToLook(dir, copyFolder)
  expect((await store.load()).pending).toEqual([entry])
  await store.saveSetting('policy', 'pagerank')
  store.close()
  expect(filesIn()).toEqual(before)
})

test('a copy that is thrown away is not tidied up first', async () => {
  await makeCrawl()
  const killed = await CrawlStore.open(dir)
  await killed.journal(entry)
  killed.close()
  await askTables(
    dir,
    "INSERT INTO host_state (host, saved_at) SELECT 'a.org', range FROM range(3000)",
  )
  const rowsIn = async (folder: string) => {
    const [{ rows }] = await askTables(folder, 'SELECT count(*)::INTEGER AS rows FROM host_state')
    return rows
  }
  const looking = await CrawlStore.openToLook(dir, copyFolder)
  await looking.load()
  const seen = join(root, 'seen')
  cpSync(copyFolder(), seen, { recursive: true })
  looking.close()
  expect(await rowsIn(seen)).toBe(3000)
  const crawling = await CrawlStore.open(dir)
  await crawling.load()
  crawling.close()
  expect(await rowsIn(dir)).toBe(1)
})

test('a journal that is damaged is named where it lies, not where it was copied to', async () => {
  await makeCrawl()
  const journal = join(dir, 'segments', 'cycle-1.jsonl')
  writeFileSync(journal, 'rubbish\n{}\n')
  const store = await CrawlStore.openToLook(dir, copyFolder)
  await expect(store.load()).rejects.toThrow(`${journal} is damaged (line 1 `)
  store.close()
})

test('a directory of an earlier version is looked at without bringing it up to date', async () => {
  await makeOldTables(dir)
  const before = filesIn()
  const store = await CrawlStore.openToLook(dir, copyFolder)
  expect(await store.reports.budget.sampledFetches()).toEqual({ fetches: 0 })
  store.close()
  expect(filesIn()).toEqual(before)
})

test('tables that are none are no reason to try again', async () => {
  await makeCrawl()
  writeFileSync(join(dir, 'state.duckdb'), 'dear')
  await expect(CrawlStore.openToLook(dir, copyFolder)).rejects.toThrow(
    /state\.duckdb is damaged \(.*not a valid/,
  )
})
