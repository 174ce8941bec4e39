import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { crawlInto } from '../crawled-directory.test-kit.ts'
import { CASES, damageFile, FOR_CASES, randomDamage } from '../random-damage.test-kit.ts'
import { sharedFolder } from '../temporary-folder.test-kit.ts'
import { checkIndex } from '../text-index/check-index.ts'
import { makeFirstEdition } from '../text-index/first-edition.test-kit.ts'
import { IndexStore } from '../text-index/index-store.ts'
import { PageStore } from '../text-index/page-store.ts'
import type { StoredPage } from '../text-index/stored-page.ts'
import { indexedPagesPart } from './check-indexed-pages.ts'
import { rebuildIndex } from './rebuild-index.ts'

const PAGES = 120
const QUERIES = [
  ...Array.from({ length: 60 }, (_, i) => `word${i * 16} shared topic${i % 11}`),
  ...Array.from({ length: 60 }, (_, i) => `name${2 * i} title version${i % 3}`),
  'page topic h3 example',
]
const folder = sharedFolder()
let crawled: string
let before: ReturnType<typeof everything>

beforeAll(async () => {
  crawled = join(folder, 'crawled')
  await crawlInto(crawled, { pages: PAGES, weeks: 3 })
  before = everything(crawled)
})

/** All answers with their scores to the last bit, and what is shown of every page in the index. */
function everything(dir: string) {
  const index = new IndexStore(dir).load(defaultAnalyser)
  const pages = PageStore.openToRead(dir)!
  try {
    const answers = QUERIES.map((query) => index.search(index.prepare(query, defaultScoring), 999))
    const urls = Array.from({ length: 4 * PAGES }, (_, url) => url).filter((url) => index.has(url))
    return { answers, pages: urls.map((url) => [url, pages.get(url)]) }
  } finally {
    pages.close()
  }
}

/** A copy of the crawl, gone after the test. */
function copyOf(dir: string): string {
  const copy = mkdtempSync(join(folder, 'copy-'))
  cpSync(dir, copy, { recursive: true })
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  return copy
}

test('the crawl has what a rebuild could get wrong: dead pages, hidden ones, renewed anchors', () => {
  const bytes = readFileSync(join(crawled, 'index', 'pages.bin'))
  const kinds = new Set<number>()
  for (let at = bytes.indexOf('GRP2'); at >= 0; at = bytes.indexOf('GRP2', at + 1))
    kinds.add(bytes.readUInt32LE(at + 4))
  expect([...kinds].sort()).toEqual([0, 1, 2])
  const { pages } = everything(crawled)
  const hidden = pages.filter(([, page]) => (page as { text: string }).text === '')
  expect(hidden.length).toBeGreaterThan(3)
  expect(pages.length).toBeLessThan(PAGES - 5)
})

test.each([
  { lost: 'nothing', files: /^$/ },
  { lost: 'all but the stored pages', files: /^(manifest|terms|segment|alive)/ },
  { lost: 'the stored pages', files: /^pages/ },
])(
  'an index that lost $lost is made anew with the same answers to the last bit',
  async ({ files }) => {
    const dir = copyOf(crawled)
    for (const name of readdirSync(join(dir, 'index')))
      if (files.test(name)) rmSync(join(dir, 'index', name))
    expect(await rebuildIndex(dir)).toEqual([])
    expect(await checkIndex(dir)).toEqual([])
    expect(everything(dir)).toEqual(before)
  },
)

test(
  'whatever happens to a file of the index, a rebuild gives the same answers',
  FOR_CASES,
  async () => {
    const names = readdirSync(join(crawled, 'index'))
    const file = fc.constantFrom('pages.bin', ...names)
    const property = fc.asyncProperty(file, randomDamage, async (name, damage) => {
      const dir = copyOf(crawled)
      if (!damageFile(join(dir, 'index', name), damage)) return
      expect(await rebuildIndex(dir)).toEqual([])
      expect(await checkIndex(dir)).toEqual([])
      expect(everything(dir)).toEqual(before)
      rmSync(dir, { recursive: true })
    })
    await fc.assert(property, { numRuns: Math.ceil(CASES / 2) })
  },
)

test('with nothing left of the index it is made from WARC files and tables', async () => {
  const dir = copyOf(crawled)
  rmSync(join(dir, 'index'), { recursive: true })
  expect(await rebuildIndex(dir)).toEqual([])
  const { pages, answers } = everything(dir)
  // A page that stood in for another, which names it, is not known any more.
  expect(before.pages).toEqual(expect.arrayContaining(pages))
  expect(pages.length).toBeGreaterThan(0.95 * before.pages.length)
  expect(answers.every((results) => results.length > 0)).toBe(true)
})

test('pages that nobody has are named, and indexed when they are fetched again', async () => {
  const dir = join(folder, 'without-warc')
  await crawlInto(dir, { pages: 40, weeks: 2, warc: false })
  const { pages } = everything(dir)
  const path = join(dir, 'index', 'pages.bin')
  const bytes = readFileSync(path)
  const second = bytes.indexOf('GRP2', 4) // what the first holds has changed since
  bytes[second + 60] ^= 1
  writeFileSync(path, bytes)
  const [damage, ...others] = await rebuildIndex(dir)
  expect(others).toEqual([])
  expect(damage).toMatchObject({
    file: 'index/pages.bin',
    lost: expect.stringMatching(/^\d pages? .*https:/),
  })
  const left = everything(dir).pages
  expect(left.length).toBeLessThan(pages.length)
  const addresses = damage.lost!.match(/https:[^,)]+/g)!
  expect(left.length + addresses.length).toBe(pages.length)
  // What is lost for good is no damage any more, or every check would ask for another repair.
  expect(await indexedPagesPart.check({ dir, warcDir: join(dir, 'warc') })).toEqual([])
  // They are as they were: only a crawl that knows what it lacks takes them in.
  await crawlInto(dir, { pages: 40, from: 2, weeks: 1, warc: false })
  expect(everything(dir).pages.map(([url]) => url)).toEqual(pages.map(([url]) => url))
})

test('after a kill, what only the log has of the last cycles is in the index too', async () => {
  const dir = join(folder, 'killed')
  await crawlInto(dir, { pages: 40, weeks: 1 })
  const tables = readFileSync(join(dir, 'state.duckdb'))
  await crawlInto(dir, { pages: 40, from: 1, weeks: 1 })
  rmSync(join(dir, 'index'), { recursive: true })
  const killed = copyOf(dir)
  writeFileSync(join(killed, 'state.duckdb'), tables)
  expect(await rebuildIndex(dir)).toEqual([])
  expect(await rebuildIndex(killed)).toEqual([])
  expect(everything(killed)).toEqual(everything(dir))
})

test('an index of the first edition is made anew too, without pages that are gone', async () => {
  const dir = copyOf(crawled)
  const { pages } = everything(dir)
  const gone = [
    9_999,
    { url: 'https://gone.example/', title: 'Gone', text: 'shared', fetchedAt: 1 },
  ]
  makeFirstEdition(dir, [...pages, gone] as [number, StoredPage][])
  const segment = readdirSync(join(dir, 'index')).find((name) => name.startsWith('segment'))!
  rmSync(join(dir, 'index', segment))
  expect(await rebuildIndex(dir)).toEqual([])
  expect(await checkIndex(dir)).toEqual([])
  expect(everything(dir).pages).toEqual(pages)
})
