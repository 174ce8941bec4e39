import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { checkIndex } from './check-index.ts'
import { makeFirstEdition } from './first-edition.test-kit.ts'
import { IndexStore } from './index-store.ts'
import { PageStore } from './page-store.ts'

let dir: string
const stored = (id: number) => ({
  url: `https://a.org/${id}`,
  title: `Title ${id}`,
  text: `shared word${id}`,
  fetchedAt: 5,
})

beforeEach(() => {
  dir = temporaryFolder()
  const store = new IndexStore(dir)
  const index = store.load(defaultAnalyser)
  for (let id = 0; id < 20; id++) index.replace(id, { ...stored(id), anchors: [] })
  index.remove(3)
  store.save(index)
  makeFirstEdition(
    dir,
    Array.from({ length: 20 }, (_, id) => [id, stored(id)]),
  )
})

const manifestPath = () => join(dir, 'index', 'manifest.json')
const answers = () => {
  const index = new IndexStore(dir).load(defaultAnalyser)
  return index.search(index.prepare('shared word5', defaultScoring), 50)
}

test('an index of the first edition answers, and has checksums from the next save on', async () => {
  const before = answers()
  expect(before.map(({ url }) => url)).toContain(5)
  expect(await checkIndex(dir)).toEqual([])
  const store = new IndexStore(dir)
  const index = store.load(defaultAnalyser)
  const pages = PageStore.open(dir)
  expect(pages.get(7)).toEqual(stored(7))
  pages.put([[20, stored(20), { anchors: ['twenty'], isHidden: false }]])
  index.replace(20, { ...stored(20), anchors: ['twenty'] })
  store.save(index, pages.bounds)
  pages.close()
  expect(JSON.parse(readFileSync(manifestPath(), 'utf8'))).toMatchObject({ format: 2 })
  expect(await checkIndex(dir)).toEqual([])
  const again = PageStore.openToRead(dir)!
  for (const id of [0, 7, 19, 20]) expect(again.get(id)).toEqual(stored(id))
  again.close()
  expect(answers().length).toBe(before.length + 1)
  const segment = join(dir, 'index', 'segment-1.bin')
  const bytes = readFileSync(segment)
  bytes[bytes.length - 5] ^= 1
  writeFileSync(segment, bytes)
  expect((await checkIndex(dir)).map(({ file }) => file)).toEqual(['index/segment-1.bin'])
})

test('a manifest whose number of format was damaged does not pass for one of the first edition', () => {
  const store = new IndexStore(dir)
  store.save(store.load(defaultAnalyser))
  const text = readFileSync(manifestPath(), 'utf8')
  for (const format of [1, 0, 3, 9]) {
    writeFileSync(manifestPath(), text.replace('"format":2', `"format":${format}`))
    expect(answers, `format ${format}`).toThrow(/manifest.json is damaged/)
  }
})

test('of a group of the first edition only what cannot be is noticed', () => {
  const path = join(dir, 'index', 'pages.bin')
  const bytes = readFileSync(path)
  bytes[4] = 200 // pages in a group
  writeFileSync(path, bytes)
  expect(() => PageStore.openToRead(dir)).toThrow(/pages.bin is damaged \(the group at byte 0\)/)
  bytes[4] = 1
  bytes[45] ^= 0xff // content
  writeFileSync(path, bytes)
  const pages = PageStore.openToRead(dir)!
  expect(() => pages.get(0)).toThrow(/pages.bin is damaged/)
  expect(pages.get(1)).toEqual(stored(1))
  pages.close()
})
