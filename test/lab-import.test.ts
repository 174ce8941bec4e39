import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readArchive } from '#archive/format/read-archive.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { WarcWriter } from '#repository/warc/write/warc-writer.ts'
import { forager } from './forager-process.ts'

const folder = sharedFolder()
let file: string
const inFolder = (name: string) => join(folder, name)

beforeAll(async () => {
  const writer = await WarcWriter.open(folder, { info: { software: 'forager/test' } })
  const keep = (url: string, days: number, html: string, status = 200) => {
    const place = writer.append(
      {
        requestHead: 'GET / HTTP/1.1\r\n\r\n',
        responseHead: `HTTP/1.1 ${status} X\r\nContent-Type: text/html\r\n\r\n`,
        body: new TextEncoder().encode(html),
        startedAt: Date.UTC(2026, 0, 5 + days) / 1000,
      },
      { url, isSeed: url === 'https://a.example/' },
    )
    file = inFolder(place.file)
  }
  keep('https://a.example/', 0, '<title>Home</title><a href="/news">News</a>')
  keep('https://a.example/news', 0, '<title>News</title><p>Old')
  keep('https://a.example/news', 8, '<title>News</title><p>New')
  keep('https://a.example/', 15, 'gone', 404)
  await writer.close()
})

test('lab import makes an archive of WARC files', async () => {
  const out = inFolder('imported')
  const { code, stdout } = await forager('lab', 'import', '--warc', file, '--out', out, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    id: 'imported',
    pages: 2,
    versions: 3,
    snapshots: 3,
    from: '2026-01-05',
    to: '2026-01-19',
    start: ['https://a.example/'],
    captures: 4,
    damaged: 0,
  })
  const archive = await readArchive(out)
  expect(archive.site.snapshots.map(({ live }) => live)).toEqual([2, 2, 1])
  expect(archive.textOf(archive.versionAt(1, 2)!)).toBe('New')
  const again = await forager('lab', 'import', '--warc', file, '--out', out)
  expect(again).toMatchObject({ code: 2, stdout: '' })
  expect(again.stderr).toMatch(/already holds an archive/)
  const replaced = await forager(
    ...['lab', 'import', '--warc', file, '--out', out, '--replace', '--step-days', '30'],
  )
  expect(replaced.code).toBe(0)
  expect(replaced.stdout).toMatch(/1 pages? in 1 versions? over 1 snapshot \(2026-01-05\)/)
})

test('a cut-off or damaged file gives what it has, and says what it has not', async () => {
  const cut = inFolder('cut.warc.gz')
  const bytes = readFileSync(file)
  writeFileSync(cut, bytes)
  truncateSync(cut, bytes.length - 40)
  const { code, stderr, stdout } = await forager(
    ...['lab', 'import', '--warc', cut, '--out', inFolder('from-cut')],
  )
  expect(code).toBe(0)
  expect(stderr).toMatch(
    /cut\.warc\.gz, record at byte \d+: the file ends within it; what is before/,
  )
  expect(stdout).toMatch(/1 damaged record left out/)
})

describe('a mistake gets one clear line and exit code 2', () => {
  test.each([
    ['no source', [], /needs a source: --dir of a crawl, --warc FILES/],
    ['a file that is not there', ['--warc', 'none.warc.gz'], /--warc none\.warc\.gz: no such file/],
    ['a folder', ['--warc', '.'], /--warc \. is a folder/],
    [
      'a seed that is no address',
      ['--warc', 'x', '--start', 'home'],
      /--start home: a full address/,
    ],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await forager(
      ...['lab', 'import', '--out', inFolder('none'), ...args],
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test('a file that is no WARC file', async () => {
    const page = inFolder('page.html')
    appendFileSync(page, '<html>')
    const { code, stderr } = await forager(
      ...['lab', 'import', '--warc', page, '--out', inFolder('none')],
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/page\.html, byte 0: no WARC record here .* is it a WARC file\?/)
  })
})
