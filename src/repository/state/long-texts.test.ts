import { expect, onTestFinished, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { namedRow } from '../database/named-rows.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { CrawlStore } from './crawl-store.ts'

const NOBODY = { hostStates: [], robotsRecords: [], hostTrusts: [] }

test('many long robots.txt files are written and not kept in memory', async () => {
  const dir = temporaryFolder()
  const store = await CrawlStore.open(dir)
  onTestFinished(() => store.close())
  const looker = await store.connect()
  let cycle = 0
  const robotsOf = (host: number) => ({
    ...{ origin: `http://h${host}.test`, kind: 'file' as const, validUntil: 1e6, failures: 0 },
    ...{ fetchedAt: cycle, textAt: cycle, text: `Disallow: /${host}\n`.repeat(30_000) },
  })
  const source = {
    memory: async () => ({
      ...NOBODY,
      robotsRecords: [robotsOf(2 * cycle), robotsOf(2 * cycle + 1)],
    }),
  }
  store.rememberFetcher(source, NOBODY, 0)
  for (cycle = 1; cycle <= 12; cycle++) {
    const times = { startedAt: cycle, endedAt: cycle }
    await store.commit({ cycle, ...times, planned: 0, fetches: [] }, new Frontier())
  }
  const sql = 'SELECT sum(memory_usage_bytes)::DOUBLE AS bytes FROM duckdb_memory()'
  const { bytes } = await namedRow(looker, sql, { bytes: Number })
  looker.closeSync()
  expect(bytes).toBeLessThan(6_000_000)
  expect((await store.fetcherMemory()).robotsRecords).toHaveLength(24)
})
