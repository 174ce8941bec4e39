import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { crawlInto } from '#repository/crawled-directory.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { commandsOf, shell } from './followed-page.ts'
import { forager } from './forager-process.ts'

const root = sharedFolder()
let dir: string
beforeAll(async () => {
  dir = join(root, 'forager-data')
  await crawlInto(dir, { pages: 30, weeks: 1 })
})

test('the how-to page can be followed', async () => {
  const page = readFileSync('docs/how-to/export-pages.md', 'utf8')
  const commands = commandsOf(page)
  expect(commands.length).toBe(6)
  for (const command of commands)
    expect(await shell(command, root), command).toMatchObject({ code: 0 })
  const lines = (file: string) => readFileSync(join(root, file), 'utf8').trim().split('\n')
  const pages = lines('pages.jsonl').map((line) => JSON.parse(line))
  expect(pages.length).toBeGreaterThan(5)
  expect(pages[0]).toMatchObject({ url: 'https://h0.example/', state: 'page', event: 'new' })
  expect(lines('links.csv')[0]).toBe('position,source,target,anchor,rel')
  expect(lines('news.jsonl').length).toBe(pages.length - 1) // all but the first fetch
  expect(readdirSync(join(root, 'pages')).sort()).toEqual(['_export.json', 'part-000001.parquet'])
})

test('what was written is told, on stderr where rows go to stdout', async () => {
  const { stdout, stderr } = await forager('export', 'fetches', '--dir', dir)
  const rows = stdout.trim().split('\n').length
  expect(stderr).toBe(`${rows} rows of fetches; what comes later: --since ${rows - 1}\n`)
  const out = join(root, 'told')
  const told = await forager('export', 'links', '--dir', dir, '--out', out, '--json')
  expect(JSON.parse(told.stdout)).toMatchObject({
    what: 'links',
    out,
    parts: 1,
    position: rows - 1,
  })
  const again = await forager('export', 'links', '--dir', dir, '--out', out)
  expect(again.stdout).toBe(`nothing new for ${out}; what comes later: --since ${rows - 1}\n`)
})

test.each([
  [['words'], /export words\? It can be pages, links, fetches, queries/],
  [['pages', '--state', 'lost'], /--state lost is none of known, page/],
  [['pages', '--since', 'yesterday'], /--since.*must be a day or a time, as in 2026-11-01/],
  [['pages', '--format', 'xml'], /--format.*Allowed choices are jsonl, csv, parquet, warc, wacz/],
  [
    ['pages', '--format', 'parquet'],
    /a Parquet file cannot be written to a stream: name a folder by --out/,
  ],
  [['pages', '--site', 'a b'], /--site 'a b' is no host name/],
  [
    ['links', '--format', 'warc', '--out', 'x'],
    /links do not lie in WARC files: choose pages or fetches/,
  ],
  [['pages', '--format', 'wacz'], /--format wacz makes one file: name it with --out/],
  [['pages', '--json'], /--json tells of files: name a folder with --out/],
])('forager export %j: one clear line and exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await forager('export', ...args, '--dir', dir)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n').length).toBe(1)
})
