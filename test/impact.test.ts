import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readWorkload } from '#archive/format/read-workload.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'

const folder = sharedFolder()
let archive: string

beforeAll(async () => {
  archive = join(folder, 'modelweb')
  await writeArchive(archive, generateModelWeb({ seed: 5, pages: 500, weeks: 2 }))
})

const planned = async (dir: string) => {
  const { stdout } = await forager('plan', '--policy', 'impact', '--dir', dir, '--json')
  return JSON.parse(stdout).fetches as { url: string; bid: number; why: string }[]
}

test('a crawl goes by the query log, and its plan names the queries', async () => {
  const dir = join(folder, 'with-log')
  const { queries } = await readWorkload(archive)
  const log = join(folder, 'log.csv')
  const lines = queries.map(({ text, weight }) => `${text},${Math.ceil(weight)}`)
  writeFileSync(log, `query,count\n${lines.join('\n')}\n`)
  await forager('queries', 'import', log, '--format', 'csv', '--dir', dir)
  const crawl = ['crawl', '--archive', archive, '--policy', 'impact', '--dir', dir, '--json']
  const run = await forager(...crawl, '--budget', '150')
  expect(run.code, run.stderr).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ spent: 150 })
  const texts = new Set(queries.map(({ text }) => text))
  const named = (await planned(dir)).flatMap(({ why }) => /"([^"]+)"/.exec(why)?.[1] ?? [])
  expect(named.length).toBeGreaterThan(5)
  for (const text of named) expect(texts).toContain(text)
})

test('without a log it goes by links and by what such pages are worth', async () => {
  const dir = join(folder, 'without-log')
  const crawl = ['crawl', '--archive', archive, '--policy', 'impact', '--dir', dir, '--json']
  const run = await forager(...crawl, '--budget', '200')
  expect(run.code, run.stderr).toBe(0)
  const fetches = await planned(dir)
  expect(fetches.some(({ why }) => why.startsWith('no query log'))).toBe(true)
  const log = join(folder, 'one-query.csv')
  writeFileSync(log, 'query,count\nnobody asks this,3\n')
  await forager('queries', 'import', log, '--format', 'csv', '--dir', dir)
  const [first] = await planned(dir)
  const explained = await forager('explain', first.url, '--dir', dir)
  expect(explained.stdout).toContain('the query log is small: this counts 9 % in the bid')
})

test('without an index it says what to do', async () => {
  const run = await forager(
    ...['crawl', '--archive', archive, '--policy', 'impact', '--no-index'],
    ...['--dir', join(folder, 'no-index'), '--budget', '5'],
  )
  expect(run.code).toBe(2)
  expect(run.stderr).toMatch(/--policy impact .* needs the index: crawl without --no-index/)
})

test('a share of the queries that is none is refused', async () => {
  const run = await forager('crawl', '--archive', archive, '--needy-share', '0')
  expect(run.code).toBe(2)
  expect(run.stderr).toMatch(/--needy-share/)
})
