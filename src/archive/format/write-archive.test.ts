import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import type { Archive } from './archive.ts'
import { archiveOf } from './assemble-archive.ts'
import type { ArchiveRecords } from './format.ts'
import { readArchive } from './read-archive.ts'
import { readWorkload } from './read-workload.ts'
import { type SmallVersion, smallArchive } from './small-archive.test-kit.ts'
import { writeArchive, writeFailure } from './write-archive.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forager-archive-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** The records an archive came from, read back through its methods alone. */
function recordsOf(archive: Archive) {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
  return {
    site: archive.site,
    pages: numbers(archive.pageCount).map((page) => [archive.urlOf(page), archive.spansOf(page)]),
    versions: numbers(archive.versionCount).map((version) => ({
      page: archive.pageOfVersion(version),
      title: archive.titleOf(version),
      text: archive.textOf(version),
      main: archive.mainTextOf(version),
      hashes: [archive.contentHashOf(version), archive.mainHashOf(version)],
      length: archive.textLengthOf(version),
      redirect: archive.redirectOf(version),
      links: Array.from(archive.linksOf(version), (link) => [
        archive.linkUrl(link),
        archive.linkAnchor(link),
        archive.linkPage(link),
        archive.linkIsOnSite(link),
      ]),
    })),
  }
}

const someText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
const someUrl = fc.integer({ min: 0, max: 5 }).map((n) => `http://host${n % 3}.example/${n}`)
const someArchive: fc.Arbitrary<ArchiveRecords> = fc
  .uniqueArray(someUrl, { minLength: 1 })
  .chain((urls) =>
    fc.record(
      Object.fromEntries(
        urls.map((url) => [
          url,
          fc.tuple(...[0, 1, 2].map((snapshot) => someVersion(snapshot))).map((versions) => {
            const kept = versions.filter((version) => version !== undefined)
            return kept.length > 0 ? kept : [{ live: [0, 0] } as SmallVersion]
          }),
        ]),
      ),
    ),
  )
  .map((pages) => smallArchive(3, pages as Record<string, SmallVersion[]>))

function someVersion(snapshot: number): fc.Arbitrary<SmallVersion | undefined> {
  return fc.option(
    fc.record({
      live: fc.constant<[number, number]>([snapshot, snapshot]),
      title: someText,
      text: fc.array(someText, { maxLength: 3 }),
      boilerplate: fc.array(someText, { maxLength: 2 }),
      links: fc.array(fc.tuple(someUrl, someText), { maxLength: 4 }),
      redirect: fc.option(someUrl, { nil: undefined }),
    }),
    { nil: undefined },
  )
}

test('what is written is what is read, whatever the archive', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(someArchive, async (records) => {
      const dir = join(folder, String(run++))
      await writeArchive(dir, records)
      expect(recordsOf(await readArchive(dir))).toEqual(recordsOf(archiveOf(records)))
    }),
    { numRuns: 50 },
  )
})

test('handmade records come back as they were', () => {
  const [url, other] = ['http://a.example/', 'http://b.example/']
  const archive = archiveOf(
    smallArchive(1, {
      [url]: [{ live: [0, 0], title: 'T', text: ['one', 'two'], links: [[other, 'B']] }],
    }),
  )
  expect(recordsOf(archive)).toMatchObject({
    pages: [[url, [{ from: 0, to: 0, version: 0 }]]],
    versions: [
      { page: 0, title: 'T', text: 'one\ntwo', length: 7, links: [[other, 'B', undefined, false]] },
    ],
  })
})

const records = smallArchive(1, { 'http://a.example/': [{ live: [0, 0], text: ['hello'] }] })
const workload = {
  queries: [{ id: 'q1', text: 'wild mushrooms', weight: 0.1 }],
  judgments: [{ queryId: 'q1', url: 'http://a.example/', grade: 3 }],
  clicks: [{ url: 'http://a.example/', clicks: 1e-7 }],
}

test('the same records give the same bytes', async () => {
  for (const name of ['one', 'two'])
    await writeArchive(join(folder, name), { ...records, workload })
  const names = await readdir(join(folder, 'one'))
  expect(names.sort()).toEqual([
    'blocks.jsonl.gz',
    'clicks.tsv.gz',
    'links.jsonl.gz',
    'pages.jsonl.gz',
    'qrels.tsv.gz',
    'queries.tsv.gz',
    'site.json',
    'versions.jsonl.gz',
  ])
  for (const name of names)
    expect(await readFile(join(folder, 'one', name))).toEqual(
      await readFile(join(folder, 'two', name)),
    )
})

test('a workload comes back as it was', async () => {
  await writeArchive(join(folder, 'web'), { ...records, workload })
  expect(await readWorkload(join(folder, 'web'))).toEqual(workload)
})

test('nothing is replaced silently', async () => {
  const dir = join(folder, 'web')
  await mkdir(dir)
  await writeArchive(dir, records) // an empty folder is free
  await expect(writeArchive(dir, records)).rejects.toThrow(/already holds an archive/)
  const next = smallArchive(1, { 'http://b.example/': [{ live: [0, 0] }] })
  await writeArchive(dir, next, { replace: true })
  expect((await readArchive(dir)).urlOf(0)).toBe('http://b.example/')
  expect(await readdir(folder)).toEqual(['web'])

  await writeFile(join(dir, 'state.duckdb'), 'a crawl')
  await expect(writeArchive(dir, records, { replace: true })).rejects.toThrow(
    /holds more than an archive \(state\.duckdb\).*choose another out/,
  )
  expect(await readFile(join(dir, 'state.duckdb'), 'utf8')).toBe('a crawl')

  await mkdir(join(folder, 'mine'))
  await writeFile(join(folder, 'mine', 'letter.txt'), 'dear')
  for (const target of ['mine', 'mine/letter.txt'])
    await expect(writeArchive(join(folder, target), records, { replace: true })).rejects.toThrow(
      /choose another out/,
    )
})

test('a write that fails leaves nothing behind', async () => {
  const broken = { ...records, versions: [{ ...[...records.versions][0], i: 1 }] }
  await expect(writeArchive(join(folder, 'web'), broken)).rejects.toThrow(/version number 0/)
  expect(await readdir(folder)).toEqual([])
})

test('a full disk is said to be full', () => {
  const error = writeFailure(Object.assign(new Error('write'), { code: 'ENOSPC' }), 'out')
  expect(error).toBeInstanceOf(SettingError)
  expect((error as Error).message).toMatch(/^out: the disk is full/)
})
