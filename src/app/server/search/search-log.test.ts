import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readSearchEventLine } from '#repository/queries/search-event-lines.ts'
import { ubiReader } from '#workload/formats/read-ubi.ts'
import { recordsIn } from '#workload/log-reader.test-kit.ts'
import { QueryLog } from './search-log.ts'

let folder: string
let now: number
let failures: Error[]
const newLog = () =>
  new QueryLog(
    folder,
    () => now,
    (error) => failures.push(error),
  )
const linesOf = (file: string) =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(readSearchEventLine(line)!))

beforeEach(() => {
  const parent = mkdtempSync(join(tmpdir(), 'forager-log-'))
  folder = join(parent, 'queries')
  now = Date.UTC(2026, 10, 15, 23, 59)
  failures = []
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
})

const search = {
  application: 'search-page',
  clientId: 'c1',
  text: 'red shoes',
  offset: 0,
  total: 12,
  shown: ['https://a.org/', 'https://b.org/'],
}

test('a search and a choice become UBI records, in a file a day that only its owner reads', () => {
  const log = newLog()
  const id = log.noteSearch(search)
  now += 120_000
  log.noteChoice({ url: 'https://b.org/', queryId: id, rank: 2 }, 'c1')
  expect(readdirSync(folder)).toEqual(['events-2026-11-15.jsonl', 'events-2026-11-16.jsonl'])
  expect(linesOf('events-2026-11-15.jsonl')).toEqual([
    {
      application: 'search-page',
      query_id: id,
      client_id: 'c1',
      user_query: 'red shoes',
      timestamp: '2026-11-15T23:59:00.000Z',
      query_attributes: { total: 12 },
      object_id_field: 'url',
      query_response_hit_ids: ['https://a.org/', 'https://b.org/'],
    },
  ])
  expect(linesOf('events-2026-11-16.jsonl')).toEqual([
    {
      application: 'search-page',
      action_name: 'click',
      query_id: id,
      client_id: 'c1',
      timestamp: '2026-11-16T00:01:00.000Z',
      event_attributes: {
        object: { object_id: 'https://b.org/', object_id_field: 'url' },
        position: { ordinal: 2 },
      },
    },
  ])
  expect(statSync(join(folder, 'events-2026-11-15.jsonl')).mode & 0o077).toBe(0)
})

test('what is logged can be imported as workload', () => {
  const log = newLog()
  const queryId = log.noteSearch(search)
  log.noteChoice({ url: 'https://b.org/', queryId, rank: 2 }, 'c1')
  const at = now / 1000
  const text = readFileSync(join(folder, 'events-2026-11-15.jsonl'), 'utf8')
  const asked = { text: 'red shoes', count: 1, at, client: 'c1', name: queryId }
  expect(recordsIn(ubiReader, text)).toMatchObject([
    { kind: 'asked', ...asked, results: ['https://a.org/', 'https://b.org/'] },
    { kind: 'click', name: queryId, url: 'https://b.org/', count: 1, at, rank: 2 },
  ])
})

test('a reload and a next page are the same search; another client, text or hour is not', () => {
  const log = newLog()
  const id = log.noteSearch(search)
  expect(log.noteSearch(search)).toBe(id)
  expect(log.noteSearch({ ...search, offset: 10 })).toBe(id)
  expect(log.noteSearch({ ...search, clientId: 'c2' })).not.toBe(id)
  expect(log.noteSearch({ ...search, text: 'blue shoes' })).not.toBe(id)
  const nameless = { ...search, clientId: undefined }
  expect(log.noteSearch(nameless)).not.toBe(log.noteSearch(nameless))
  now += 31 * 60_000
  expect(log.noteSearch(search)).not.toBe(id)
})

test('a later page without a first one tells no results, for readers would take them for the best', () => {
  newLog().noteSearch({ ...search, offset: 20 })
  const [line] = linesOf('events-2026-11-15.jsonl')
  expect(line.query_attributes).toEqual({ total: 12, offset: 20 })
  expect(line).not.toHaveProperty('query_response_hit_ids')
})

test('a log that cannot be written is told once, and searching goes on', () => {
  const log = newLog()
  rmSync(folder, { recursive: true })
  expect(log.noteSearch(search)).toMatch(/-/)
  log.noteSearch({ ...search, text: 'other' })
  expect(failures.length).toBe(1)
})

test('logs that have reached their size are told once, and searching goes on', () => {
  const log = new QueryLog(
    folder,
    () => now,
    (error) => failures.push(error),
    1_000,
  )
  for (let n = 0; n < 20; n++) log.noteSearch({ ...search, text: `shoes ${n}` })
  expect(failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^the logs have reached their limit of 1,000 bytes.*--query-log-size$/),
  ])
  const { bytes, isFull, unwritten } = log.state
  const kept = readdirSync(folder).flatMap(linesOf)
  expect(bytes).toBeLessThanOrEqual(1_000)
  expect({ isFull, all: kept.length + unwritten }).toEqual({ isFull: true, all: 20 })
})
