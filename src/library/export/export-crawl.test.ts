import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { crawlInto } from '#repository/crawled-directory.test-kit.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { PageStore } from '#repository/text-index/page-store.ts'
import { importQueryList } from '../queries/import-log.ts'
import { type ExportOptions, exportCrawl } from './export-crawl.ts'

type Row = Record<string, unknown>

const root = sharedFolder()
/** All of a small web, and once more a week later: pages have changed, and some are gone. */
let dir: string
/** Its pages. */
let all: Row[]
beforeAll(async () => {
  dir = join(root, 'crawl')
  for (const from of [0, 0, 1]) await crawlInto(dir, { pages: 40, weeks: 1, from })
  all = await rowsOf({ what: 'pages' })
})

/** The rows of an export to a stream. */
async function rowsOf(options: Omit<ExportOptions, 'dir' | 'out'>, from = dir): Promise<Row[]> {
  return (await textOf(options, from))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

async function textOf(options: Omit<ExportOptions, 'dir' | 'out'>, from = dir): Promise<string> {
  const chunks: Buffer[] = []
  const out = new Writable({
    write(chunk, _, done) {
      chunks.push(chunk)
      done()
    },
  })
  await exportCrawl({ dir: from, out, ...options })
  return Buffer.concat(chunks).toString()
}

function rowsIn(folder: string): Row[] {
  const parts = readdirSync(folder)
    .filter((name) => name.startsWith('part-'))
    .sort()
  return parts
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line))
}

describe('pages', () => {
  test('that were ever held come with their state, their last content and its text', async () => {
    const held = await askTables(
      dir,
      `SELECT u.id, u.url, arg_max(f.outcome, f.id) AS outcome, arg_max(p.title, p.fetch_id) AS title
       FROM url u JOIN page p ON p.url_id = u.id JOIN fetch_log f ON f.url_id = u.id GROUP BY ALL`,
    )
    const store = PageStore.openToRead(dir)!
    const expected = held.map(({ id, url, outcome, title }) => {
      const state = outcome === 'unchanged' ? 'page' : outcome
      const text = state === 'page' ? store.get(Number(id))?.text || null : null
      return { url, state, title, text }
    })
    store.close()
    const byUrl = (a: Row, b: Row) => (String(a.url) < String(b.url) ? -1 : 1)
    const told = all.map(({ url, state, title, text }) => ({ url, state, title, text }))
    expect(told.sort(byUrl)).toEqual(expected.sort(byUrl))
    expect(new Set(all.map(({ event }) => event))).toEqual(new Set(['new', 'changed', 'gone']))
    expect(
      all.every(({ since }) => /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(`${since}`)),
    ).toBe(true)
  })

  test('that may not be shown come without a text, and nobody gets one who wants none', async () => {
    expect(all.find(({ url }) => `${url}`.endsWith('/page-5'))).toMatchObject({ text: null })
    const plain = await rowsOf({ what: 'pages', texts: false })
    expect(plain).toEqual(all.map((row) => ({ ...row, text: null })))
  })

  test.each<[string, Partial<ExportOptions>, (row: Row) => boolean]>([
    ['of one host', { sites: ['h1.example'] }, ({ host }) => host === 'h1.example'],
    [
      'below a path',
      { sites: ['h2.example/topic-7', 'h0.example'] },
      ({ url, host }) =>
        host === 'h0.example' || `${url}`.startsWith('https://h2.example/topic-7/'),
    ],
    ['by another scheme', { sites: ['http://h1.example'] }, () => false],
    ['that are gone', { states: ['gone'] }, ({ state }) => state === 'gone'],
    ['in a language', { language: 'de' }, () => false],
    ['since a time', { since: { time: 1_700_000_001 } }, ({ since }) => `${since}` > '2023-11-15'],
    ['until a time', { until: 1_700_000_001 }, ({ since }) => `${since}` < '2023-11-15'],
  ])('%s alone can be asked for', async (_, options, isMeant) => {
    const meant = all.filter(isMeant)
    expect(await rowsOf({ what: 'pages', ...options })).toEqual(meant)
    expect(meant.length).toBeLessThan(all.length)
  })
})

test('links are those of the pages that are held, as they are now', async () => {
  const rows = await rowsOf({ what: 'links' })
  const links = await askTables(
    dir,
    `SELECT s.url AS source, d.url AS target, a.text AS anchor
     FROM link l JOIN (SELECT url_id, max(fetch_id) AS last FROM page GROUP BY url_id) p
       ON p.url_id = l.src AND p.last = l.fetch_id
     JOIN url s ON s.id = l.src JOIN url d ON d.id = l.dst JOIN anchor a ON a.id = l.anchor_id
     WHERE (SELECT arg_max(outcome, id) FROM fetch_log f WHERE f.url_id = l.src) <> 'gone'`,
  )
  const key = (row: Row) => `${row.source} ${row.target} ${row.anchor}`
  expect(rows.map(key).sort()).toEqual(links.map(key).sort())
})

test('fetches are all there were, in their order', async () => {
  const rows = await rowsOf({ what: 'fetches' })
  const logged = await askTables(dir, 'SELECT id, outcome FROM fetch_log ORDER BY id')
  expect(rows.map(({ position, outcome }) => [position, outcome])).toEqual(
    logged.map(({ id, outcome }) => [Number(id), outcome]),
  )
})

test('queries come whole, with how often they were asked', async () => {
  const searched = join(root, 'searched')
  await importQueryList(searched, [
    { text: 'otter', weight: 3 },
    { text: "newt's pond", weight: 1 },
  ])
  const rows = await rowsOf({ what: 'queries' }, searched)
  expect(rows.map(({ query, searches }) => [query, searches])).toEqual(
    expect.arrayContaining([['otter', 3]]),
  )
  const out = join(root, 'queries')
  const again = () => exportCrawl({ dir: searched, what: 'queries', out })
  expect(await again()).toEqual({ rows: 2, parts: 1 })
  expect(await again()).toEqual({ rows: 2, parts: 1 })
  expect(rowsIn(out)).toEqual(rows)
})

describe('a folder', () => {
  test('has the rows of the stream, however small its parts', async () => {
    for (const what of ['pages', 'links', 'fetches'] as const) {
      const out = join(root, `parts-${what}`)
      const { parts } = await exportCrawl({ dir, what, out, partBytes: 4_000 })
      expect(parts).toBeGreaterThan(3)
      expect(rowsIn(out)).toEqual(await rowsOf({ what }))
    }
  })

  test('is gone on with after a kill: nothing is missing or there twice', async () => {
    const out = join(root, 'killed')
    const killAt = (part: number) => () => {
      if (--part === 0) throw new Error('killed')
    }
    const options = { dir, what: 'pages', out, partBytes: 4_000 } as const
    for (let run = 0; run < 3; run++) {
      await expect(exportCrawl({ ...options, onPart: killAt(2) })).rejects.toThrow('killed')
      // What a kill left of a part.
      writeFileSync(
        join(out, `_part-${`${2 * run + 3}`.padStart(6, '0')}.jsonl.new`),
        '{"url": "htt',
      )
    }
    await exportCrawl(options)
    expect(rowsIn(out)).toEqual(all)
  })

  test('gets what is new when the crawl has gone on: the last row of a page counts', async () => {
    const growing = join(root, 'growing')
    const out = join(root, 'followed')
    const options = { dir: growing, what: 'pages', out } as const
    for (const [turn, from] of [0, 0, 1, 0].entries()) {
      await crawlInto(growing, { pages: 30, weeks: 1, from })
      const { rows } = await exportCrawl(options)
      if (turn > 1) expect(rows).toBeLessThan(30)
      expect(await exportCrawl(options)).toMatchObject({ rows: 0, parts: 0 })
    }
    const latest = new Map(rowsIn(out).map((row) => [row.url, row]))
    const now = await rowsOf({ what: 'pages' }, growing)
    expect(latest.size).toBe(now.length)
    // That it was seen once more is no news.
    const plain = ({ seen_at, ...row }: Row) => row
    expect([...latest.values()].map(plain)).toEqual(expect.arrayContaining(now.map(plain)))
    expect(rowsIn(out).length).toBeGreaterThan(now.length)
  })

  test('that holds something else is not touched', async () => {
    const out = join(root, 'others')
    await exportCrawl({ dir, what: 'pages', out, sites: ['h1.example'] })
    await expect(exportCrawl({ dir, what: 'pages', out })).rejects.toThrow(
      /holds another export \(pages, jsonl, sites h1\.example\)/,
    )
    writeFileSync(join(root, 'mine.txt'), '')
    await expect(exportCrawl({ dir, what: 'pages', out: root })).rejects.toThrow(/other files/)
  })
})

test.each(['csv', 'parquet'] as const)('%s says what JSON lines say', async (format) => {
  const out = join(root, format)
  await exportCrawl({ dir, what: 'pages', format, out, partBytes: 9_000 })
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const files = `${out}/part-*.${format}`
  const reader = format === 'csv' ? `read_csv('${files}')` : `read_parquet('${files}')`
  const read = await connection.runAndReadAll(
    `SELECT url, state, since, title, text FROM ${reader} ORDER BY position`,
  )
  expect(
    read.getRowObjectsJS().map(({ since, ...row }) => ({
      ...row,
      since: (since as Date).toISOString(),
    })),
  ).toEqual(all.map(({ url, state, since, title, text }) => ({ url, state, since, title, text })))
})

test('what a page says of itself is told as it stands where it is no JSON', async () => {
  const damaged = join(root, 'no-json')
  cpSync(dir, damaged, { recursive: true })
  await askTables(damaged, `UPDATE page SET data = '{"a": bad', fields = '{"price": "\\ud800"}'`)
  const rows = await rowsOf({ what: 'pages' }, damaged)
  expect(rows.length).toBe(all.length)
  expect(rows[0]).toMatchObject({ data: '{"a": bad', fields: '{"price": "\\ud800"}' })
  const wanted = { what: 'pages', fields: ['price'] } as const
  expect(await rowsOf(wanted, damaged)).toEqual([])
})

test('a stream of CSV has one heading', async () => {
  const lines = (await textOf({ what: 'fetches', format: 'csv', partBytes: 4_000 }))
    .trim()
    .split('\n')
  expect(lines.filter((line) => line.startsWith('position,'))).toEqual([lines[0]])
  expect(lines.length - 1).toBe((await rowsOf({ what: 'fetches' })).length)
})

test.each<[string, Partial<ExportOptions>, RegExp]>([
  ['no crawl', { dir: '/nowhere/at/all' }, /there is no crawl in/],
  ['Parquet by a stream', { format: 'parquet' }, /name a folder/],
  ['a site that is none', { sites: ['a b'] }, /'a b' is no host name/],
  ['queries from a position', { what: 'queries', since: { position: 4 } }, /takes a day/],
])('%s: the mistake is named', async (_, options, message) => {
  const out = new Writable({ write: (_, __, done) => done() })
  await expect(exportCrawl({ dir, what: 'pages', out, ...options })).rejects.toThrow(message)
})
