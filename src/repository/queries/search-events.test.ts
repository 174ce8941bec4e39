import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SearchEvent } from '#workload/formats/ubi.ts'
import { openDatabase } from '../database/open-database.ts'
import { takeInSearchEvents } from '../state/open-queries.ts'
import { migrate } from '../tables/schema.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { loadWorkload } from './load-workload.ts'
import { searchEventLine } from './search-event-lines.ts'
import { takeInOpenSearchEvents } from './search-events.ts'
import { readTakenIn } from './taken-in.ts'

const DAY = 86_400
const NOW = Date.UTC(2026, 0, 31) / 1000

let dir: string
let connection: DuckDBConnection
let close: () => void
const inDir = (name: string) => join(dir, name)

beforeEach(async () => {
  dir = temporaryFolder()
  await open()
})
afterEach(() => {
  close()
})

async function open(): Promise<void> {
  ;({ connection, close } = await openDatabase(inDir('crawl')))
  await migrate(connection, dir)
}

const weights = async () => {
  const { queries } = await loadWorkload(connection, NOW)
  return Object.fromEntries(queries.map(({ text, weight }) => [text, weight]))
}

const isoDaysAgo = (days: number) => new Date((NOW - days * DAY) * 1000).toISOString()

describe('the logs of the search page', () => {
  const query = (id: string): SearchEvent => ({
    query_id: id,
    client_id: 'c',
    user_query: 'boots',
    timestamp: isoDaysAgo(0).replace('00:00:00', `00:00:0${id}`),
  })
  const log = () => inDir('crawl/queries/events-2026-01-31.jsonl')

  beforeEach(() => {
    mkdirSync(inDir('crawl/queries'))
    writeFileSync(log(), searchEventLine(query('1')))
  })

  test('are taken in once, and what is added later too', async () => {
    expect(await takeInOpenSearchEvents(connection, inDir('crawl'), NOW)).toMatchObject({
      asked: 1,
    })
    expect(await takeInOpenSearchEvents(connection, inDir('crawl'), NOW)).toBeUndefined()
    const half = searchEventLine(query('3')).slice(0, 20)
    appendFileSync(log(), `${searchEventLine(query('2'))}broken\n${half}`)
    const report = await takeInOpenSearchEvents(connection, inDir('crawl'), NOW)
    expect(report).toMatchObject({ asked: 1, skipped: [{ line: 3, reason: 'damaged' }] })
    appendFileSync(log(), searchEventLine(query('3')).slice(20))
    await takeInOpenSearchEvents(connection, inDir('crawl'), NOW)
    expect((await weights()).boots).toBeCloseTo(3, 4)
  })

  test('are taken in by who opens the directory next', async () => {
    close()
    expect(await takeInSearchEvents(inDir('crawl'), NOW)).toMatchObject({ asked: 1 })
    expect(await takeInSearchEvents(inDir('nowhere'), NOW)).toBeUndefined()
    await open()
    expect(Object.keys(await weights())).toEqual(['boots'])
  })

  test('are taken in part by part, and their writer is told how far', async () => {
    close()
    const later = inDir('crawl/queries/events-2026-01-31.2.jsonl')
    writeFileSync(later, `${searchEventLine(query('2'))}half a line`)
    expect(await takeInSearchEvents(inDir('crawl'), NOW)).toMatchObject({ asked: 2 })
    expect([...readTakenIn(inDir('crawl/queries'))].sort()).toEqual([
      ['events-2026-01-31.2.jsonl', searchEventLine(query('2')).length],
      ['events-2026-01-31.jsonl', searchEventLine(query('1')).length],
    ])
    await open()
  })

  test('that are looked at in a copy of the tables are not told to be taken in', async () => {
    await takeInOpenSearchEvents(connection, inDir('crawl'), NOW)
    expect(readTakenIn(inDir('crawl/queries')).size).toBe(0)
  })
})
