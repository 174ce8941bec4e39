import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cases } from '#numeric/cases.test-kit.ts'
import { LOG_FORMATS } from '#workload/formats/formats.ts'
import { appendRows } from '../database/append-columns.ts'
import { openDatabase } from '../database/open-database.ts'
import { QUERY_PROGRESS } from '../tables/query-tables.ts'
import { migrate } from '../tables/schema.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { exportUbi } from './export-ubi.ts'
import { type ImportReport, importQueries } from './import-queries.ts'
import { loadClickedQueries, loadQueryProgress, loadWorkload } from './load-workload.ts'

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

function write(name: string, text: string): string {
  writeFileSync(inDir(name), name.endsWith('.gz') ? gzipSync(text) : text)
  return inDir(name)
}

const importFiles = (
  format: string,
  files: string[],
  minClients = 1,
  halfLifeDays = 90,
): Promise<ImportReport> =>
  importQueries(connection, files, {
    format,
    reader: LOG_FORMATS[format].reader,
    param: 'q',
    minClients,
    halfLifeSeconds: halfLifeDays * DAY,
    now: NOW,
  })

const weights = async () => {
  const { queries } = await loadWorkload(connection, NOW)
  return Object.fromEntries(queries.map(({ text, weight }) => [text, weight]))
}

const isoDaysAgo = (days: number) => new Date((NOW - days * DAY) * 1000).toISOString()
const jsonLines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

describe('an import', () => {
  test('adds up the spellings of a query and reports what it skipped, with file and line', async () => {
    const file = write('queries.csv', 'Red Shoes,3\nred  shoes,2\nboots,x\nme@example.org,9\n')
    const report = await importFiles('csv', [file])
    expect(await weights()).toEqual({ 'red shoes': 5 })
    expect(report.skipped).toEqual([{ file, line: 3, reason: 'the count is no number' }])
    expect(report.skippedByReason).toEqual({ 'the count is no number': 1 })
    expect(report.unusedByReason).toEqual({ 'holds an e-mail address': 1 })
    expect(report).toMatchObject({ asked: 2, clicks: 0 })
  })

  test('of the same content changes nothing, wherever it lies', async () => {
    await importFiles('csv', [write('queries.csv', 'boots,4')])
    const report = await importFiles('csv', [inDir('queries.csv'), write('copy.csv', 'boots,4')])
    expect(report.files.map(({ isUnchanged }) => isUnchanged)).toEqual([true, true])
    expect(await weights()).toEqual({ boots: 4 })
  })

  test('of totals takes the place of what the file said before', async () => {
    await importFiles('csv', [write('queries.csv', 'boots,4\nhats,1\n')])
    await importFiles('csv', [write('other.csv', 'boots,10\n')])
    await importFiles('csv', [write('queries.csv', 'boots,5\ncoats,2\n')])
    expect(await weights()).toEqual({ boots: 15, coats: 2 })
  })

  test('of a log that has grown takes in only what is new', async () => {
    const record = (id: string, days: number, user_query: string) => ({
      query_id: id,
      user_query,
      timestamp: isoDaysAgo(days),
    })
    const first = [record('1', 0, 'boots'), record('2', 0, 'boots')]
    await importFiles('ubi', [write('log.jsonl', jsonLines(first))])
    const grown = [...first, record('3', -1, 'boots')]
    const report = await importFiles('ubi', [write('log.jsonl', jsonLines(grown))])
    expect(report.repeated).toBe(2)
    expect(await weights()).toEqual({ boots: 3 })
  })

  test('lets searches fade: half is left after a half-life', async () => {
    const asked = [0, 90, 180].map((days, i) => ({
      query_id: `${i}`,
      user_query: 'boots',
      timestamp: isoDaysAgo(days),
    }))
    await importFiles('ubi', [write('log.jsonl', jsonLines(asked))])
    const { queries } = await loadWorkload(connection, NOW)
    expect(queries).toEqual([
      {
        id: expect.any(String),
        text: 'boots',
        weight: 1 + 0.5 + 0.25,
        source: 'ubi',
        synthetic: false,
        firstSeen: NOW - 180 * DAY,
        lastSeen: NOW,
      },
    ])
  })

  test('leaves no trace of queries that too few clients asked', async () => {
    const asked = ['ann', 'bob', 'ann'].map((client_id, i) => ({
      query_id: `${i}`,
      client_id,
      user_query: i === 2 ? 'my secret' : 'boots',
      timestamp: isoDaysAgo(0),
    }))
    const report = await importFiles('ubi', [write('log.jsonl', jsonLines(asked))], 2)
    expect(report.rareQueries).toBe(1)
    expect(await weights()).toEqual({ boots: 2 })
    const texts = await connection.runAndReadAll('SELECT text FROM query')
    expect(texts.getRows()).toEqual([['boots']])
  })

  test('read in another way is read again, and fades as it was last said to', async () => {
    const log = jsonLines([
      { query_id: '1', client_id: 'ann', user_query: 'boots', timestamp: isoDaysAgo(90) },
      { query_id: '2', client_id: 'bob', user_query: 'boots', timestamp: isoDaysAgo(90) },
      { query_id: '3', client_id: 'bob', user_query: 'hats', timestamp: isoDaysAgo(90) },
    ])
    await importFiles('ubi', [write('log.jsonl', log)], 2)
    expect(await weights()).toEqual({ boots: 1 })
    const report = await importFiles('ubi', [inDir('log.jsonl')], 1, 45)
    expect(report).toMatchObject({ repeated: 2, asked: 1 })
    expect(await weights()).toEqual({ boots: 0.5, hats: 0.25 })
  })

  test('of something else than it was taken for is forgotten', async () => {
    const file = write('log.jsonl', jsonLines([{ user_query: 'boots' }]))
    const report = await importFiles('accesslog', [file])
    expect(report.skipped).toHaveLength(1)
    const imports = await connection.runAndReadAll('SELECT * FROM query_import')
    expect(imports.getRows()).toEqual([])
    expect(await importFiles('ubi', [file])).toMatchObject({ asked: 1 })
  })

  test('takes in texts that are no proper Unicode', async () => {
    const record = '{"query_id": "a\\u0000\\ud800", "user_query": "boots \\ud83d\\u0000 red"}'
    await importFiles('ubi', [write('log.jsonl', record)])
    expect(await weights()).toEqual({ 'boots \ufffd red': 1 })
  })

  test('that fails half-way leaves everything as it was', async () => {
    await importFiles('csv', [write('queries.csv', 'boots,4')])
    const bad = inDir('bad.csv.gz')
    writeFileSync(bad, gzipSync('hats,1\n'.repeat(5000)).subarray(0, 40))
    await expect(importFiles('csv', [bad])).rejects.toThrow(/bad\.csv\.gz: damaged gzip/)
    expect(await weights()).toEqual({ boots: 4 })
  })

  test('reads packed files, byte order marks and the line ends of Windows', async () => {
    await importFiles('csv', [write('queries.csv.gz', '\ufeffquery,count\r\nboots,4\r\n')])
    expect(await weights()).toEqual({ boots: 4 })
    const renamed = inDir('renamed.csv')
    writeFileSync(renamed, gzipSync('hats,1\n'))
    expect(await importFiles('csv', [renamed])).toMatchObject({ asked: 1, skipped: [] })
  })

  test('reports bytes that are no text', async () => {
    const file = inDir('latin1.csv')
    writeFileSync(file, Buffer.from('caf\xe9,3\nboots,1\n', 'latin1'))
    const report = await importFiles('csv', [file])
    expect(report.skipped).toEqual([{ file, line: 1, reason: 'not valid UTF-8' }])
    expect(await weights()).toEqual({ boots: 1 })
  })

  test.each(['utf-16le', 'utf-16be'])(
    'takes text as spreadsheets save it (%s)',
    async (encoding) => {
      const bytes = Buffer.from('\ufeffhats,1\r\ncafé,3\r\n', 'utf16le')
      const wide = inDir('wide.csv')
      writeFileSync(wide, encoding === 'utf-16le' ? bytes : bytes.swap16())
      expect((await importFiles('csv', [wide])).skipped).toEqual([])
      expect(await weights()).toEqual({ hats: 1, café: 3 })
    },
  )

  test('finds the query of a click or judgment in another file, also one of an earlier import', async () => {
    await importFiles('trec', [write('topics.tsv', '7\tred boots\n')])
    const qrels = write('qrels.txt', '7 0 https://a.org/x 2\n8 0 https://a.org/x 1\n')
    const report = await importFiles('trec', [qrels])
    expect(report.skipped).toEqual([
      { file: qrels, line: 2, reason: 'no query has the id it names' },
    ])
    const { queries, judgments } = await loadWorkload(connection, NOW)
    expect(judgments).toEqual([{ queryId: queries[0].id, url: 'https://a.org/x', grade: 2 }])
  })
})

test('a click far down the list counts more than one at the top', async () => {
  const click = (url: string, ordinal?: number) => ({
    action_name: 'click',
    query_id: 'q',
    timestamp: isoDaysAgo(0),
    event_attributes: { object: { object_id: url }, position: { ordinal } },
  })
  const records = [
    click('https://a.org/top', 1),
    click('https://a.org/low', 6),
    click('https://a.org/other'),
    { query_id: 'q', user_query: 'boots', timestamp: isoDaysAgo(0) },
  ]
  await importFiles('ubi', [write('log.jsonl', jsonLines(records))])
  expect((await loadWorkload(connection, NOW)).clicks).toEqual([
    { url: 'https://a.org/low', clicks: 6 },
    { url: 'https://a.org/other', clicks: 1 },
    { url: 'https://a.org/top', clicks: 1 },
  ])
  const [{ text, clicks }] = await loadClickedQueries(connection, NOW)
  expect({ text, clicks }).toEqual({
    text: 'boots',
    clicks: [
      { url: 'https://a.org/low', weight: 6, squares: 36 },
      { url: 'https://a.org/other', weight: 1, squares: 1 },
      { url: 'https://a.org/top', weight: 1, squares: 1 },
    ],
  })
})

test('what is exported as UBI says the same when it is imported', async () => {
  const asked = fc.record({
    text: fc.constantFrom('boots', 'red shoes', 'hats', 'größe 7'),
    days: fc.integer({ min: 0, max: 400 }),
    hits: fc.array(fc.constantFrom('https://a.org/1', 'https://a.org/2', 'https://b.org/'), {
      maxLength: 3,
    }),
    clicked: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  })
  const totals = fc.array(
    fc.tuple(fc.constantFrom('boots', 'coats'), fc.integer({ min: 1, max: 9 })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 8 }), totals, async (log, csv) => {
      await clear()
      const records = log.flatMap(({ text, days, hits, clicked }, i) => [
        {
          query_id: `q${i}`,
          user_query: text,
          timestamp: isoDaysAgo(days),
          query_response_hit_ids: hits,
        },
        ...(clicked === undefined
          ? []
          : [
              {
                action_name: 'click',
                query_id: `q${i}`,
                timestamp: isoDaysAgo(days),
                event_attributes: {
                  object: { object_id: 'https://a.org/1' },
                  position: { ordinal: clicked },
                },
              },
            ]),
      ])
      await importFiles('ubi', [write('log.jsonl', jsonLines(records))])
      await importFiles('csv', [write('q.csv', csv.map((row) => row.join(',')).join('\n'))])
      const before = await comparable()
      const exported: object[] = []
      for await (const record of exportUbi(connection)) exported.push(record)
      await clear()
      const report = await importFiles('ubi', [write('again.jsonl', jsonLines(exported))])
      expect(report.skipped).toEqual([])
      expect(await comparable()).toEqual(before)
    }),
    { numRuns: cases(5, 15) },
  )
})

async function clear(): Promise<void> {
  for (const table of ['query', 'query_import', 'asked', 'impression', 'click'])
    await connection.run(`DELETE FROM ${table}`)
}

async function comparable(): Promise<unknown> {
  const { queries, clicks } = await loadWorkload(connection, NOW)
  const seen = await connection.runAndReadAll(
    `SELECT q.text, i.url, i.rank, count(*)::DOUBLE FROM impression i JOIN query q ON q.id = i.query_id
     GROUP BY ALL ORDER BY ALL`,
  )
  const rounded = (value: number) => Number(value.toFixed(9))
  return {
    queries: queries
      .map(({ text, weight }) => [text, rounded(weight)])
      .sort((a, b) => (a[0] < b[0] ? -1 : 1)),
    clicks: clicks.map(({ url, clicks }) => [url, rounded(clicks)]),
    seen: seen.getRows(),
  }
}

test('without a log the workload is made of titles and anchors, and says so', async () => {
  await connection.run(`
    INSERT INTO page (url_id, fetch_id, title) VALUES (0, 0, 'Old name'), (0, 2, 'Red shoes'), (1, 1, '');
    INSERT INTO link VALUES (1, 1, 0, 0, 0), (2, 3, 0, 0, 0), (0, 0, 5, 1, 0), (0, 2, 1, 0, 0);
    INSERT INTO anchor VALUES (0, 'crimson footwear'), (1, 'gone');`)
  const workload = await loadWorkload(connection, NOW)
  expect(workload.synthetic).toBe(true)
  expect(workload.queries.map(({ text, weight }) => [text, weight])).toEqual([
    ['crimson footwear', 3],
    ['red shoes', 3],
  ])
})

test('what cycles did for the queries is kept', async () => {
  await appendRows(connection, QUERY_PROGRESS, [
    { cycle: 1, query: 'old', average_score: 9, new_results: 9 },
    { cycle: 40, query: 'boots', average_score: 1.5, new_results: 2 },
  ])
  expect(await loadQueryProgress(connection)).toEqual([{ averageScore: 1.5, newResults: 2 }])
})
