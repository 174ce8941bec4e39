import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rebuildIndex } from '#repository/check/rebuild-index.ts'
import { openSearchService } from './search-service.ts'
import { addToCrawl, searchableCrawl } from './searchable-crawl.test-kit.ts'

const page = (word: string) => ({
  url: `https://a.example/${word}`,
  title: word,
  text: `all ${word}`,
})

function crawled(): string {
  const dir = searchableCrawl([page('apples'), page('pears')])
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

function flipLastByte(path: string): void {
  const bytes = readFileSync(path)
  bytes[bytes.length - 1] ^= 1
  writeFileSync(path, bytes)
}

test('no file of the index can be damaged or missing without being named', () => {
  const files = readdirSync(join(crawled(), 'index'))
  expect(files.sort()).toEqual(['manifest.json', 'pages.bin', 'segment-1.bin', 'terms.txt'])
  for (const file of files)
    for (const damage of [flipLastByte, rmSync]) {
      const dir = crawled()
      damage(join(dir, 'index', file))
      const ask = () => openSearchService(dir).search('apples pears', 0, 10)
      expect(ask, `${file} ${damage.name}`).toThrow(`${file} is damaged`)
    }
})

test('if what a crawl adds is damaged, answers come from what was there, and it is told once', () => {
  const dir = crawled()
  const told: string[] = []
  const service = openSearchService(dir, ({ message }) => told.push(message))
  addToCrawl(dir, [page('cherries')])
  flipLastByte(join(dir, 'index', 'segment-2.bin'))
  for (let time = 0; time < 2; time++) {
    expect(service.search('apples', 0, 10).hits).toMatchObject([page('apples')])
    expect(service.search('cherries', 0, 10).total).toBe(0)
  }
  expect(told).toEqual([expect.stringMatching(/segment-2.bin is damaged/)])
  service.close()
})

test('a repair is noticed by who searches meanwhile', async () => {
  const dir = crawled()
  const service = openSearchService(dir)
  expect(service.search('pears', 0, 10).hits).toMatchObject([page('pears')])
  await rebuildIndex(dir)
  expect(service.search('pears', 0, 10).hits).toMatchObject([page('pears')])
  service.close()
})

test('a folder without an index is no damage', () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-empty-'))
  expect(() => openSearchService(dir)).toThrow(/there is no index in .*crawl something first/)
  rmSync(dir, { recursive: true })
})
