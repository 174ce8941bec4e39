import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { tfIdf } from '#search/full-text/scoring.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import { analyser } from '#search/text/analysis.ts'
import { writeDurably } from './durable-file.ts'
import { type Remains, UnkindDisk } from './power-cut.test-kit.ts'
import { CrawlStore } from './state/crawl-store.ts'
import { temporaryFolder } from './temporary-folder.test-kit.ts'
import { IndexStore } from './text-index/index-store.ts'
import { PageStore } from './text-index/page-store.ts'
import { exchangeOf, openWriter, warcNames } from './warc/warc.test-kit.ts'

/** What everybody in this process writes to. */
const power = { disk: new UnkindDisk({ ...fs }) }
Object.assign(fs, power.disk.watched())
syncBuiltinESMExports()

/** A folder with what a power cut left. */
function folderOf(remains: Remains, name = ''): string {
  const dir = temporaryFolder()
  const folder = join(dir, name)
  mkdirSync(folder, { recursive: true })
  for (const [file, bytes] of remains) writeFileSync(join(folder, file), bytes)
  return dir
}

const words = analyser({ stemming: false })
const page = (text: string) => ({ url: 'https://a.org/', title: '', text, anchors: [] })
const found = (index: TextIndex) => index.search(index.prepare('shared', tfIdf()), 99)

test('a power cut leaves the index as it was at the last save, whenever it comes', () => {
  const dir = temporaryFolder()
  const store = new IndexStore(dir)
  const index = store.load(words)
  mkdirSync(join(dir, 'index'))
  power.disk.watch(join(dir, 'index'))
  let before = found(index)
  for (let round = 0; round < 6; round++) {
    for (let url = 3 * round; url < 3 * round + 4; url++)
      index.replace(url, page(`shared word${url} round${round}`))
    if (round > 2) while (index.compact());
    store.save(index)
    const after = found(index)
    const remains = power.disk.take()
    expect(remains.length).toBeGreaterThan(6)
    for (const files of remains) {
      const loaded = new IndexStore(folderOf(files, 'index')).load(words)
      expect([before, after]).toContainEqual(found(loaded))
    }
    power.disk.note()
    for (const files of power.disk.take())
      expect(found(new IndexStore(folderOf(files, 'index')).load(words))).toEqual(after)
    before = after
  }
})

test('the words of pages are there after a power cut', () => {
  const dir = temporaryFolder()
  const pages = PageStore.open(dir)
  power.disk.watch(join(dir, 'index'))
  const stored = { url: 'https://a.org/', title: 'A', text: 'words to show', fetchedAt: 1 }
  pages.put([[7, stored]])
  pages.close()
  power.disk.note()
  for (const files of power.disk.take().slice(-2)) {
    const read = PageStore.openToRead(folderOf(files, 'index'))!
    expect(read.get(7)).toEqual(stored)
    read.close()
  }
})

test('a file that is replaced is the old one or the new one, whenever the power is cut', () => {
  const dir = temporaryFolder()
  const path = join(dir, 'file')
  writeFileSync(path, 'old')
  power.disk.watch(dir)
  writeDurably(path, Buffer.from('ne'), Buffer.from('w'))
  const contents = power.disk.take().map((files) => files.get('file')!.toString())
  expect(contents[0]).toBe('old')
  expect(contents.at(-1)).toBe('new')
  expect(new Set(contents).size).toBe(2)
})

test('a file that cannot be replaced stays, and no draft is left', () => {
  const dir = temporaryFolder()
  mkdirSync(join(dir, 'taken'))
  expect(() => writeDurably(join(dir, 'taken'), Buffer.from('new'))).toThrow(/EISDIR|ENOTEMPTY/)
  expect(readdirSync(dir)).toEqual(['taken'])
})

test('a WARC that was synced has its records after a power cut, those of full files too', async () => {
  const dir = temporaryFolder()
  power.disk.watch(dir)
  const writer = await openWriter(dir, { rolloverBytes: 2_000 })
  const urls = ['a', 'b', 'c', 'd', 'e'].map((path) => `https://a.org/${path}`)
  for (const url of urls) writer.append(exchangeOf(`page ${url}`), { url })
  writer.sync()
  const files = warcNames(dir).length
  expect(files).toBeGreaterThan(1)
  writer.append(exchangeOf('came too late'), { url: 'https://a.org/late' })
  expect(warcNames(dir).length, 'a new file would have synced the old').toBe(files)
  power.disk.note()
  for (const remains of power.disk.take().slice(-2)) {
    const { opened } = await openWriter(folderOf(remains))
    expect(opened).toMatchObject({ cutBytes: 0, indexed: urls.length })
  }
  await writer.close()
})

test('an index of WARC files is whole after a power cut during sorting', async () => {
  const dir = temporaryFolder()
  const writer = await openWriter(dir)
  for (const path of ['c', 'a', 'b'])
    writer.append(exchangeOf(path), { url: `https://a.org/${path}` })
  power.disk.watch(dir)
  await writer.close()
  const lines = readFileSync(join(dir, 'index.cdxj'), 'utf8').trimEnd().split('\n')
  const remains = power.disk.take()
  expect(remains.length).toBeGreaterThan(2)
  for (const files of remains)
    expect(files.get('index.cdxj')!.toString().trimEnd().split('\n').sort()).toEqual(lines)
})

test('the journal and the WARC are on the disk before the tables take over', async () => {
  const dir = temporaryFolder()
  const store = await CrawlStore.open(dir)
  const frontier = new Frontier()
  const steps: string[] = []
  const place = { file: 'a.warc.gz', offset: 0 }
  store.keepExchangesIn({
    note: () => undefined,
    append: () => place,
    appendRobots: ({ url }) => steps.push(url),
    sync: () => steps.push('synced'),
  })
  const outcome = { id: 0, url: 'https://a.org/', at: 1, ms: 1, kind: 'gone', status: 410 } as const
  const entry = { cycle: 1, purpose: 'acquire', predictedGain: 0 } as const
  power.disk.watch(join(dir, 'segments'))
  const robots = [{ url: 'https://a.org/robots.txt', exchange: exchangeOf('User-agent: *') }]
  await store.journal({ ...entry, outcome: { ...outcome, bytes: 0 } }, exchangeOf(''), robots)
  const [name] = readdirSync(join(dir, 'segments'))
  const journal = readFileSync(join(dir, 'segments', name), 'utf8')
  await store.commit(
    { ...{ cycle: 1, startedAt: 0, endedAt: 1 }, planned: 1, fetches: [] },
    frontier,
  )
  expect(power.disk.take().map((files) => files.get(name)?.toString())).toContain(journal)
  expect(steps).toEqual(['https://a.org/robots.txt', 'synced'])
  store.close()
})
