import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { readArchive } from '#archive/format/read-archive.ts'
import { planOfEpoch } from '#library/buckets/look.ts'
import { firstOf, isThorough } from '#numeric/cases.test-kit.ts'
import { seededRandom } from '#numeric/random.ts'
import { readWarc } from '#repository/warc/read/warc-reader.ts'
import { startReplayServer } from '../src/app/server/replay-server.ts'
import { bytesIn } from './bytes-in.ts'
import { forager, startForager } from './forager-process.ts'
import { importQueries } from './imported-queries.ts'
import { modelWebFolder } from './model-web-folder.ts'

const { archive, inFolder } = modelWebFolder(3)

/** Crawls by epochs; gives what it says when it ends. */
async function epochs(dir: string, ...more: string[]): Promise<string> {
  const usual = ['--archive', archive, '--at', '0', '--dir', dir, '--no-config']
  const { code, stdout, stderr } = await forager('epochs', ...usual, ...more)
  expect(code, stderr).toBe(0)
  return stdout
}

const FIVE_EPOCHS = ['--buckets', '3', '--budget', '100', '--batch', '25']
const BY_QUERIES = ['--queries', inFolder('searchers')]

function expectSameBytes(dir: string, other: string): void {
  const [ours, theirs] = [bytesIn(dir), bytesIn(other)]
  expect([...theirs.keys()]).toEqual([...ours.keys()])
  for (const [path, bytes] of ours) expect(theirs.get(path) === bytes, path).toBe(true)
}

let inOneProcess: string
beforeAll(async () => {
  await importQueries(archive, inFolder('searchers'))
  inOneProcess = inFolder('in-one-process')
  const said = await epochs(inOneProcess, ...FIVE_EPOCHS, '--processes', '0')
  expect(said).toBe('budget spent in epoch 6\n')
}, 120_000)

test.runIf(isThorough).each([
  ['by links', []],
  ['by queries', BY_QUERIES],
])(
  '%s, steps made by other processes give the same bytes',
  async (_, more) => {
    const ours = more.length > 0 ? inFolder('by-queries-in-one-process') : inOneProcess
    if (more.length > 0) await epochs(ours, ...FIVE_EPOCHS, ...more, '--processes', '0')
    const dir = inFolder(`by-processes-${more.length}`)
    const { ended } = startForager([
      ...['epochs', '--archive', archive, '--at', '0', '--dir', dir, '--no-config'],
      ...[...FIVE_EPOCHS, ...more, '--processes', '2'],
    ])
    expect((await ended).code).toBe(0)
    expectSameBytes(ours, dir)
  },
  120_000,
)

test.runIf(isThorough).each([
  ['by links', []],
  ['by queries', BY_QUERIES],
])(
  '%s, killed at any moment and begun again, a crawl comes to the same bytes',
  async (_, more) => {
    const dir = inFolder(`killed-${more.length}`)
    const ours = more.length > 0 ? inFolder('by-queries-unkilled') : inOneProcess
    if (more.length > 0) await epochs(ours, ...FIVE_EPOCHS, ...more, '--processes', '0')
    const random = seededRandom(11)
    let kills = 0
    for (let isDone = false; !isDone; ) {
      const { child, ended } = startForager([
        ...['epochs', '--archive', archive, '--at', '0', '--dir', dir, '--no-config'],
        ...[...FIVE_EPOCHS, ...more, '--processes', '0'],
      ])
      // Ever later, so that on a slow machine too some step is done at last.
      const afterMs = (800 + random.below(2_500)) * (1 + kills / 4)
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
      const { signal, code, stderr } = await ended
      if (signal === null) expect(code, stderr).toBe(0)
      clearTimeout(timer)
      isDone = signal === null
      if (!isDone) kills++
    }
    expect(kills).toBeGreaterThan(0)
    expectSameBytes(ours, dir)
  },
  240_000,
)

test('status, plan and explain read what buckets know', async () => {
  const status = await forager('status', '--dir', inOneProcess, '--json', '--no-config')
  expect(JSON.parse(status.stdout)).toMatchObject({ spent: 100, cycles: 6, policy: 'pagerank' })
  const planned = async (epoch: number) => {
    const flags = ['--dir', inOneProcess, '--epoch', `${epoch}`, '--json', '--no-config']
    return JSON.parse((await forager('plan', ...flags)).stdout).fetches as { url: string }[]
  }
  expect((await planned(3)).length).toBe(25)
  const [{ url }] = await planned(1)
  const explain = (about: string) =>
    forager('explain', about, '--dir', inOneProcess, '--json', '--no-config')
  expect(JSON.parse((await explain(url)).stdout)).toMatchObject({
    ...{ url, known: true, source: 'seed', depth: 0, fetches: 1 },
  })
  expect((await explain('http://nobody.example/')).code).toBe(1)
  const none = await forager('plan', '--dir', inOneProcess, '--epoch', '9', '--no-config')
  expect(none.code).toBe(2)
  expect(none.stderr).toMatch(/there is no plan of epoch 9 in .*: it has 1 to 5/)
}, 60_000)

test('queries are named when a crawl begins', async () => {
  const flags = ['--archive', archive, '--at', '0', '--no-config']
  const late = await forager('epochs', '--dir', inOneProcess, ...flags, ...BY_QUERIES)
  expect(late.code).toBe(2)
  expect(late.stderr).toMatch(/chosen pages by links since it began.*another --dir/)
  const none = ['--queries', inOneProcess.replace('in-one-process', 'nowhere')]
  expect((await forager('epochs', '--dir', inFolder('unasked'), ...flags, ...none)).code).toBe(2)
}, 60_000)

test.each(firstOf(1, ['impact', 'pagerank', 'indegree']))(
  'by %s, many buckets plan what one does, epoch by epoch',
  async (policy) => {
    const plansIn = async (buckets: number) => {
      const dir = inFolder(`by-${policy}-${buckets}`)
      await epochs(
        ...[dir, '--buckets', `${buckets}`, '--budget', '120', '--batch', '30'],
        ...['--processes', '0', '--policy', policy, ...(policy === 'impact' ? BY_QUERIES : [])],
      )
      return Promise.all(
        Array.from({ length: 4 }, async (_, i) => {
          const { fetches } = await planOfEpoch(dir, i + 1)
          return fetches.map(({ url, bid }) => ({ url, bid }))
        }),
      )
    }
    const whole = await plansIn(1)
    expect(whole.flat().length).toBeGreaterThan(80)
    expect(new Set(whole.flat().map(({ url }) => new URL(url).host)).size).toBeGreaterThan(3)
    expect(await plansIn(5)).toEqual(whole)
    if (policy !== 'impact') return
    // Queries asked for pages, and pages have taught what those are worth.
    const ofEpoch = (epoch: number, file: string) =>
      JSON.parse(readFileSync(inFolder(`by-impact-5/epoch=00000${epoch}/${file}`), 'utf8'))
    expect(ofEpoch(4, 'values.json').asked).toBeGreaterThan(0)
    expect(ofEpoch(5, 'model.json').model.pagesSeen).toBeGreaterThan(50)
  },
  240_000,
)

/** What a record of a WARC file is about. */
async function uriAt(path: string, from: number): Promise<string | undefined> {
  for await (const { fields } of readWarc(path, { from })) return fields.get('warc-target-uri')
  return undefined
}

test('on the live web what went over the wire is kept, and buckets know where', async () => {
  const recorded = await readArchive(archive)
  const server = await startReplayServer({ archive: recorded, port: 0, from: 0, speed: 0 })
  const dir = inFolder('live')
  const { code, stderr } = await forager(
    ...['epochs', ...recorded.site.start, '--resolve', `*=127.0.0.1:${server.port}`],
    ...['--delay', '0'],
    ...['--dir', dir, '--no-config', '--buckets', '3', '--budget', '40', '--batch', '20'],
    ...['--processes', '0'],
  )
  await server.close()
  expect(code, stderr).toBe(0)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(
    `SELECT url.url, warc_file, warc_offset FROM
       (SELECT * FROM read_parquet('${dir}/epoch=*/learn/*/fetch_log.parquet', hive_partitioning = true)) AS fetched
     JOIN (SELECT * FROM read_parquet('${dir}/epoch=*/learn/*/url.parquet', hive_partitioning = true)) AS url
       ON url.id = fetched.url_id AND url.bucket = fetched.bucket
     WHERE warc_file IS NOT NULL`,
  )
  const rows = reader.getRows().map((row) => row.map(String))
  connection.closeSync()
  expect(rows.length).toBeGreaterThan(30)
  for (const [url, file, offset] of rows) {
    expect(await uriAt(`${dir}/warc/${file}`, Number(offset))).toBe(url)
  }
}, 60_000)

/** What all buckets of a crawl know of their own URLs by the latest epoch: their states, and how many pages link to each. */
async function knownIn(dir: string, buckets: number): Promise<unknown[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const rows: unknown[] = []
  for (let bucket = 0; bucket < buckets; bucket++) {
    const files = (table: string) =>
      `read_parquet('${dir}/epoch=*/learn/bucket=${String(bucket).padStart(6, '0')}/${table}.parquet', hive_partitioning = false)`
    const reader = await connection.runAndReadAll(
      `WITH fetched AS (SELECT url_id, arg_max(outcome, id) AS outcome,
         max(id) FILTER (WHERE changed) AS latest FROM ${files('fetch_log')} GROUP BY url_id)
       SELECT url.url, fetched.outcome,
         (SELECT count(DISTINCT src) FROM ${files('link')} AS link WHERE dst = url.id AND src <> dst
            AND fetch_id IN (SELECT latest FROM fetched))
         ${buckets > 1 ? `+ (SELECT count(DISTINCT src) FROM ${files('foreign_link')} WHERE dst = url.id)` : ''} AS linking
       FROM ${files('url')} AS url JOIN fetched ON fetched.url_id = url.id`,
    )
    rows.push(...reader.getRows().map((row) => row.map(String)))
  }
  connection.closeSync()
  return rows.sort()
}

test.runIf(isThorough)(
  'a web that is crawled to its end is the same in any number of buckets, with links between them',
  async () => {
    const crawled = async (buckets: number) => {
      const dir = inFolder(`whole-${buckets}`)
      const said = await epochs(
        ...[dir, '--buckets', `${buckets}`, '--budget', '100000'],
        ...['--batch', '400', '--processes', '0', '--policy', 'bfs'],
      )
      expect(said).toMatch(/^nothing left to fetch in epoch/)
      return knownIn(dir, buckets)
    }
    const whole = await crawled(1)
    expect(whole.length).toBeGreaterThan(200)
    expect(await crawled(4)).toEqual(whole)
  },
  240_000,
)
