import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { appendRows } from '#repository/database/append-columns.ts'
import { openDatabase } from '#repository/database/open-database.ts'
import { QUERY_PROGRESS } from '#repository/tables/query-tables.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { LOG_FORMATS } from '#workload/formats/formats.ts'
import { forager } from './forager-process.ts'

const folder = sharedFolder()
const inFolder = (name: string) => join(folder, name)
const crawled = () => inFolder('crawled')

beforeAll(async () => {
  await writeArchive(inFolder('web'), generateModelWeb({ seed: 3, pages: 600, weeks: 2 }))
  await forager('crawl', '--archive', inFolder('web'), '--budget', '60', '--dir', crawled())
})

function write(name: string, text: string): string {
  writeFileSync(inFolder(name), text)
  return inFolder(name)
}

/** A query as `list` and `needy` print it. */
interface Row {
  readonly text: string
  readonly query: string
  readonly weight: number
  readonly best: { readonly url: string; readonly title: string; readonly score: number } | null
  readonly waiting: number
}

/** What the commands print with --json: each some of it. */
interface Printed {
  readonly queries: readonly Row[]
  readonly synthetic: boolean
  readonly files: readonly object[]
  readonly pages: number
  readonly clickedPages: number
  readonly improvability: { readonly form: string; readonly observations: number }
}

async function json(...args: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await forager(...args, '--json')
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

test('a plan after an import has a price of its own, not one of synthetic queries', async () => {
  const dir = inFolder('priced')
  await forager(
    'crawl',
    '--archive',
    inFolder('web'),
    '--budget',
    '90',
    '--batch',
    '20',
    '--dir',
    dir,
  )
  const priceOf = async () =>
    JSON.parse((await forager('plan', '--dir', dir, '--json')).stdout).price
  const status = JSON.parse((await forager('status', '--dir', dir, '--json')).stdout)
  const last = status.budget.prices.at(-1).price
  expect(await priceOf()).toBe(last)
  const log = write('priced.csv', 'query,count\nnobody asks this,3\n')
  await forager('queries', 'import', log, '--format', 'csv', '--dir', dir)
  expect(await priceOf()).not.toBe(last)
})

describe('queries import', () => {
  test('a log whose first line tells what it is needs no format', async () => {
    const file = write('told.csv', 'query,count\nred shoes,5\n')
    const { code, stdout, stderr } = await forager(
      ...['queries', 'import', file, '--dir', inFolder('told')],
    )
    expect(code).toBe(0)
    expect(stderr).toContain('taken for csv (query,count[,url,clicks]): --format names another')
    expect(stdout).toContain('1 record of a query')
  })

  test('without a format that can be told lists those there are', async () => {
    const file = write('unnamed.txt', 'red shoes\nboots\n')
    const { code, stderr } = await forager('queries', 'import', file, '--dir', inFolder('unnamed'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/^forager: say what .*unnamed\.txt is, by --format and one of these:\n/)
    for (const format of Object.keys(LOG_FORMATS))
      expect(stderr).toMatch(new RegExp(`^  ${format} `, 'm'))
    expect(existsSync(inFolder('unnamed'))).toBe(false)
  })

  test('names every malformed line with its file and reason, and imports the rest', async () => {
    const file = write('queries.csv', 'query,count\nred shoes,5\nboots,many\n"hats,3\ncoats,2\n')
    const dir = inFolder('imported')
    const { code, stdout, stderr } = await forager(
      ...['queries', 'import', file, '--format', 'csv', '--dir', dir],
    )
    expect(code).toBe(0)
    expect(stderr).toContain(`${file}, line 3: the count is no number; skipped`)
    expect(stderr).toContain(`${file}, line 4: a quote is not closed; skipped`)
    expect(stdout).toContain('2 records of queries')
    expect(stdout).toContain('1 malformed: the count is no number')

    const again = await json('queries', 'import', file, '--format', 'csv', '--dir', dir)
    expect(again.files).toEqual([{ file, lines: 0, isUnchanged: true }])
    const { queries, synthetic } = await json('queries', 'list', '--dir', dir)
    expect(synthetic).toBe(false)
    expect(queries.map(({ text, weight }) => [text, weight])).toEqual([
      ['red shoes', 5],
      ['coats', 2],
    ])
  })

  test('leaves out what too few clients asked', async () => {
    const line = (ip: string, query: string) =>
      `${ip} - - [31/Jan/2026:12:00:00 +0000] "GET /search?term=${query} HTTP/1.1" 200 9 "-" "Firefox/140"\n`
    const log = line('192.0.2.1', 'boots') + line('192.0.2.2', 'boots') + line('192.0.2.2', 'mine')
    const dir = inFolder('anonymous')
    const report = await json(
      ...['queries', 'import', write('access.log', log), '--format', 'accesslog'],
      ...['--param', '/search?term', '--min-clients', '2', '--half-life', '30d', '--dir', dir],
    )
    expect(report).toMatchObject({ asked: 2, rareQueries: 1 })
    const { queries } = await json('queries', 'list', '--dir', dir)
    expect(queries.map(({ text }) => text)).toEqual(['boots'])
  })

  test.each([
    ['a format nobody knows', ['x.csv', '--format', 'cvs'], /--format.*cvs.*ubi, csv, gsc/],
    ['a file that is not there', ['nowhere.csv', '--format', 'csv'], /nowhere\.csv: no such file/],
    ['one of which nobody said what it is', ['nowhere.log'], /nowhere\.log: no such file/],
    ['a folder', [import.meta.dirname], /test is a folder: name the files in it/],
    [
      'a half-life that is none',
      ['x', '--format', 'csv', '--half-life', 'long'],
      /--half-life.*90d/,
    ],
    [
      'clients where the log has none',
      ['x', '--format', 'gsc', '--min-clients', '3'],
      /--min-clients.*gsc/,
    ],
  ])('%s is a mistake with one clear line', async (_, args, message) => {
    const { code, stderr } = await forager('queries', 'import', ...args, '--dir', inFolder('none'))
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(existsSync(inFolder('none'))).toBe(false)
  })

  test('a file with nothing in it is told', async () => {
    const file = write('empty.log', '')
    const { code, stderr } = await forager(
      ...['queries', 'import', file, '--format', 'accesslog', '--dir', inFolder('empty')],
    )
    expect(code).toBe(2)
    expect(stderr).toContain('empty.log: nothing in there to import')
  })

  test('a file of another format is told', async () => {
    const file = write('wrong.csv', 'red shoes,5\n')
    const { code, stderr } = await forager(
      ...['queries', 'import', file, '--format', 'ubi', '--dir', inFolder('wrong')],
    )
    expect(code).toBe(2)
    expect(stderr).toContain('could be used as ubi: is --format right?')
  })
})

test('what is exported can be imported elsewhere', async () => {
  const file = write('clicks.csv', 'boots,5,https://a.org/boots,2\nhats,1\n')
  const from = inFolder('from')
  const to = inFolder('to')
  const out = inFolder('out.jsonl')
  await json('queries', 'import', file, '--format', 'csv', '--dir', from)
  expect(await json('queries', 'export', '--dir', from, '--out', out)).toEqual({
    out,
    asked: 2,
    clicks: 1,
  })
  expect(JSON.parse(readFileSync(out, 'utf8').split('\n')[0])).toMatchObject({
    application: 'forager',
    user_query: 'boots',
    query_attributes: { count: 5 },
  })
  const shown = await forager('queries', 'export', '--dir', from)
  expect(shown).toMatchObject({ code: 0, stdout: readFileSync(out, 'utf8') })
  await json('queries', 'import', out, '--format', 'ubi', '--dir', to)
  const { queries, clickedPages } = await json('queries', 'list', '--dir', to)
  expect(queries.map(({ text, weight }) => [text, weight])).toEqual([
    ['boots', 5],
    ['hats', 1],
  ])
  expect(clickedPages).toBe(1)
})

describe('queries needy', () => {
  test('without a log speaks of a synthetic workload, in words and in JSON', async () => {
    const { code, stderr, stdout } = await forager('queries', 'needy', '--dir', crawled())
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('synthetic workload')
    expect(stdout).toContain('a guess until a few cycles were seen')
    expect(await json('queries', 'needy', '--dir', crawled())).toMatchObject({ synthetic: true })
  })

  test('shows the queries the crawl cannot serve, their best answer and the pages that wait', async () => {
    const before = await json('queries', 'needy', '--dir', crawled(), '--limit', '200')
    const answered = before.queries.find(({ best }) => best !== null)!
    const waited = before.queries.find(({ waiting }) => waiting > 0)!
    const log = `${answered.query},1\n${waited.query},2\nxyzzy unheard of,3\n`
    const file = write('asked.csv', log)
    await json('queries', 'import', file, '--format', 'csv', '--dir', crawled())
    const report = await json('queries', 'needy', '--dir', crawled())
    expect(report).toMatchObject({ synthetic: false, improvability: { form: 'prior' } })
    expect(report.queries[0]).toMatchObject({
      query: 'xyzzy unheard of',
      weight: 3,
      improvability: 10,
      neediness: 30,
      averageScore: 0,
      best: null,
      waiting: 0,
    })
    const rows = new Map(report.queries.map((row) => [row.query, row]))
    expect(rows.get(answered.query)?.best).toEqual(answered.best)
    expect(answered.best).toMatchObject({ url: expect.stringMatching(/^http/) })
    expect(rows.get(waited.query)?.waiting).toBe(waited.waiting)
  })

  test('learns from past cycles how much a query may improve', async () => {
    const { connection, close } = await openDatabase(crawled())
    const progress = Array.from({ length: 100 }, (_, i) => ({
      cycle: 1,
      query: `q${i}`,
      average_score: i / 10,
      new_results: Math.round(6 * Math.exp(-i / 20)),
    }))
    await appendRows(connection, QUERY_PROGRESS, progress)
    close()
    const { improvability } = await json('queries', 'needy', '--dir', crawled())
    expect(improvability.observations).toBe(100)
    expect(improvability.form).not.toBe('prior')
  })

  test('takes in what the search page has logged', async () => {
    mkdirSync(join(crawled(), 'queries'), { recursive: true })
    const event = {
      query_id: 'a-1',
      user_query: 'Logged by the page',
      timestamp: new Date().toISOString(),
    }
    writeFileSync(
      join(crawled(), 'queries', `events-${event.timestamp.slice(0, 10)}.jsonl`),
      `${JSON.stringify(event)}\n`,
    )
    const { queries } = await json('queries', 'needy', '--dir', crawled())
    expect(queries.map(({ query }) => query)).toContain('logged by the page')
  })

  test('works before the first crawl, and says where there is nothing', async () => {
    const file = write('early.csv', 'boots,5\n')
    const dir = inFolder('early')
    await json('queries', 'import', file, '--format', 'csv', '--dir', dir)
    const { queries, pages } = await json('queries', 'needy', '--dir', dir)
    expect([pages, queries.length]).toEqual([0, 1])
    const { code, stderr } = await forager('queries', 'needy', '--dir', inFolder('nothing'))
    expect(code).toBe(2)
    expect(stderr).toMatch(/there is nothing in .*nothing.*--dir/)
  })
})
