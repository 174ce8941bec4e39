import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { readArchive } from './read-archive.ts'
import { smallArchive } from './small-archive.test-kit.ts'
import { writeArchive } from './write-archive.ts'

const HOME = 'http://a.example/'
const NEWS = 'http://a.example/news'
const records = smallArchive(3, {
  [HOME]: [
    { live: [0, 0], title: 'Home', text: ['Welcome'], links: [[NEWS, 'News']] },
    { live: [1, 2], title: 'Home', text: ['Welcome back'], links: [[NEWS, 'News']] },
  ],
  [NEWS]: [{ live: [0, 2], title: 'News', text: ['None'], boilerplate: ['Menu'] }],
})

let folder = ''
let dir = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forager-archive-'))
  dir = join(folder, 'web')
  await writeArchive(dir, records)
})
afterEach(() => rm(folder, { recursive: true }))

async function faultOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SettingError)
  return (error as SettingError).message
}

async function rewriteLine(file: string, line: number, text: string): Promise<void> {
  const path = join(dir, file)
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n')
  lines[line - 1] = text
  await writeFile(path, gzipSync(lines.join('\n')))
}

const version = (fields: object) =>
  JSON.stringify({ i: 1, p: 0, h: 'x', c: 'y', t: '', n: 0, b: [], l: [], ...fields })
const page = (fields: object) => JSON.stringify({ i: 1, url: NEWS, v: [[0, 2, 2]], ...fields })

test.each([
  ['pages.jsonl.gz', 2, '{"i":1,', /not JSON/],
  ['pages.jsonl.gz', 2, '', /empty line/],
  ['pages.jsonl.gz', 2, '[1]', /must be an object/],
  ['pages.jsonl.gz', 2, page({ i: 2 }), /i must be 1, .* not 2/],
  ['pages.jsonl.gz', 2, page({ url: 'news' }), /http\(s\) URL, not "news"/],
  ['pages.jsonl.gz', 2, page({ url: HOME }), /is that of page 0 too/],
  ['pages.jsonl.gz', 2, page({ v: [] }), /at least one span/],
  ['pages.jsonl.gz', 2, page({ v: [[0, 2]] }), /spans \[from, to, version\]/],
  ['pages.jsonl.gz', 2, page({ v: [[0, -1, 2]] }), /whole numbers/],
  ['pages.jsonl.gz', 2, page({ v: [[0, 3, 2]] }), /beyond the last snapshot, 2/],
  ['pages.jsonl.gz', 2, page({ v: [[2, 1, 2]] }), /ends before it starts/],
  [
    'pages.jsonl.gz',
    2,
    page({
      v: [
        [0, 1, 2],
        [1, 2, 2],
      ],
    }),
    /overlaps or precedes/,
  ],
  ['pages.jsonl.gz', 2, page({ v: [[0, 2, 3]] }), /version 3, but versions.jsonl.gz has 3/],
  ['pages.jsonl.gz', 2, page({ v: [[0, 2, 1]] }), /version 1, which belongs to page 0/],
  ['versions.jsonl.gz', 2, '7', /must be an object/],
  ['versions.jsonl.gz', 2, version({ i: '1' }), /i must be 1/],
  ['versions.jsonl.gz', 2, version({ p: 2 }), /page number below 2, not 2/],
  ['versions.jsonl.gz', 3, version({ i: 2, p: 0.5 }), /page number/],
  ['versions.jsonl.gz', 2, version({ h: 1 }), /h must be a text/],
  ['versions.jsonl.gz', 2, version({ t: null }), /t must be a text/],
  ['versions.jsonl.gz', 2, version({ n: -1 }), /n must be a text length/],
  ['versions.jsonl.gz', 2, version({ b: [0] }), /b must be runs/],
  ['versions.jsonl.gz', 2, version({ b: [0, 0] }), /counts above 0/],
  ['versions.jsonl.gz', 2, version({ b: [3, 2] }), /\[3, 2\] beyond the 4 lines of blocks/],
  ['versions.jsonl.gz', 2, version({ l: [2, 1] }), /beyond the 2 lines of links/],
  ['versions.jsonl.gz', 2, version({ l: [-1, 1] }), /whole numbers/],
  ['versions.jsonl.gz', 2, version({ rd: 5 }), /rd must be the URL/],
  ['blocks.jsonl.gz', 1, '"text"', /must be \[text\]/],
  ['blocks.jsonl.gz', 1, '[3]', /must be \[text\]/],
  ['blocks.jsonl.gz', 1, '["text",2]', /must be 1 \(boilerplate\), not 2/],
  ['links.jsonl.gz', 2, '["http://b.example/"]', /\[url, anchor\]/],
  ['links.jsonl.gz', 2, '["http://b.example/",7]', /anchor must be a text, not 7/],
  ['links.jsonl.gz', 2, '["http://b.example/","b",3]', /1 \(a page of the archive\)/],
  ['links.jsonl.gz', 2, '["http://b.example/","b",1]', /does not have it/],
])('a fault in %s, line %i is named: %s', async (file, line, text, what) => {
  await rewriteLine(file, line, text)
  const message = await faultOf(readArchive(dir))
  expect(message).toMatch(what)
  expect(message).toContain(`${join(dir, file)}, line ${line}: `)
})

test('versions of one page must be neighbours', async () => {
  await rewriteLine('versions.jsonl.gz', 2, version({ p: 1 }))
  await rewriteLine('versions.jsonl.gz', 3, version({ i: 2, p: 0 }))
  expect(await faultOf(readArchive(dir))).toMatch(/line 3: versions of page 0 must be neighbours/)
})

test.each([
  ['{', /not JSON/],
  ['[]', /must be a JSON object/],
  [{ format: 'evolution/2' }, /format must be "evolution\/1", not "evolution\/2"/],
  [{ id: 5 }, /id must be a text/],
  [{ start: [] }, /at least one seed URL/],
  [{ start: ['mailto:me'] }, /"mailto:me" is not an http\(s\) URL/],
  [{ snapshots: [] }, /at least one snapshot/],
  [{ snapshots: [{ i: 1, date: '2024-01-01', live: 2 }] }, /snapshots\[0\]\.i must be 0/],
  [{ snapshots: [{ i: 0, date: '2024-02-31', live: 2 }] }, /date like 2024-07-20/],
  [{ snapshots: [{ i: 0, date: '2024-01-01' }] }, /live must be a number/],
  [{ robots: { 'a.example': 1 } }, /robots\["a.example"\] must be a text/],
  [
    { snapshots: records.site.snapshots.map((s) => ({ ...s, date: '2024-01-01' })) },
    /must be later/,
  ],
  [
    { snapshots: records.site.snapshots.map((s) => ({ ...s, live: 3 })) },
    /snapshot 0 says 3 live pages, pages.jsonl.gz has 2/,
  ],
])('a site.json with %j is refused', async (fault, what) => {
  const text = typeof fault === 'string' ? fault : JSON.stringify({ ...records.site, ...fault })
  await writeFile(join(dir, 'site.json'), text)
  const message = await faultOf(readArchive(dir))
  expect(message).toMatch(what)
  expect(message).toContain('site.json')
})

test('missing folders and files are named', async () => {
  expect(await faultOf(readArchive(join(folder, 'nowhere')))).toMatch(/nowhere: no such folder/)
  expect(await faultOf(readArchive(folder))).toMatch(/site.json cannot be read; is .* an archive/)
  await rm(join(dir, 'links.jsonl.gz'))
  expect(await faultOf(readArchive(dir))).toBe(`${join(dir, 'links.jsonl.gz')}: no such file`)
})

test('a truncated gzip is named with its last good line', async () => {
  const path = join(dir, 'blocks.jsonl.gz')
  const lines = Array.from({ length: 20_000 }, (_, i) => `["block ${Math.imul(i, 0x9e3779b1)}"]\n`)
  const whole = gzipSync(lines.join(''))
  await writeFile(path, whole.subarray(0, whole.length >> 1))
  const message = await faultOf(readArchive(dir))
  expect(message).toContain(`${path}: truncated gzip, the last good line is `)
  const last = Number(/line is (\d+)/.exec(message)?.[1])
  expect(last).toBeGreaterThan(5_000)
  expect(last).toBeLessThan(20_000)
})

test('an empty file, a corrupt one and one that is no gzip are named', async () => {
  const path = join(dir, 'pages.jsonl.gz')
  const whole = await readFile(path)
  await writeFile(path, '')
  expect(await faultOf(readArchive(dir))).toContain(path)
  await writeFile(path, 'plain text')
  expect(await faultOf(readArchive(dir))).toMatch(/corrupt gzip .*damaged near its start/)
  whole[whole.length - 6] ^= 0xff // in the checksum
  await writeFile(path, whole)
  expect(await faultOf(readArchive(dir))).toMatch(/corrupt gzip \(incorrect data check\)/)
})

test('bytes that are not UTF-8 are refused, a replacement character is not', async () => {
  const path = join(dir, 'blocks.jsonl.gz')
  const lines = ['["a"]', '["\ufffd"]', '["c"]', '["d"]']
  await writeFile(path, gzipSync(lines.join('\n')))
  expect((await readArchive(dir)).textOf(1)).toBe('\ufffd')
  const bytes = Buffer.from(lines.join('\n'))
  bytes[2] = 0xe9
  await writeFile(path, gzipSync(bytes))
  expect(await faultOf(readArchive(dir))).toMatch(/line 1: not valid UTF-8/)
})

test('without text, blocks are not needed and links are all there', async () => {
  await rm(join(dir, 'blocks.jsonl.gz'))
  const archive = await readArchive(dir, { text: false })
  expect(archive.hasText).toBe(false)
  expect(archive.linkUrl(archive.linksOf(0)[0])).toBe(NEWS)
  expect(() => archive.textOf(0)).toThrow('without its text')
})
