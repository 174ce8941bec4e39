import { appendFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { IndexStore } from './index-store.ts'
import { PageStore } from './page-store.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

const page = (text: string) => ({
  url: 'https://a.org/',
  title: 'Tïtle\n"quoted"',
  text,
  fetchedAt: 5.5,
})

test('the last words of a page are the ones that count, also after a restart', () => {
  const store = PageStore.open(dir)
  store.put([[7, page('old')], [3, page('x'.repeat(3_000_000))]]) // biome-ignore format: one list
  store.put([[7, page('new\nwords')]])
  store.close()
  const again = PageStore.open(dir)
  expect(again.get(7)).toEqual(page('new\nwords'))
  expect(again.get(3)?.text.length).toBe(3_000_000)
  expect(again.get(5)).toBeUndefined()
  again.close()
})

test('many pages at once are told apart again', () => {
  const store = PageStore.open(dir)
  store.put(Array.from({ length: 50 }, (_, i) => [i * 3, page(`words of ${i}`)] as const))
  store.close()
  const reader = PageStore.openToRead(dir)!
  for (let i = 0; i < 50; i++) expect(reader.get(i * 3)?.text).toBe(`words of ${i}`)
})

test('a NUL in a text does not part it', () => {
  const store = PageStore.open(dir)
  store.put([[1, page('a\0b')], [2, page('c')]]) // biome-ignore format: one list
  expect(store.get(1)?.text).toBe('a b')
  expect(store.get(2)?.text).toBe('c')
})

test('a reader sees what a writer adds, once it looks again', () => {
  expect(PageStore.openToRead(dir)).toBeUndefined()
  const writer = PageStore.open(dir)
  const reader = PageStore.openToRead(dir)!
  writer.put([[1, page('hello')]])
  expect(reader.get(1)).toBeUndefined()
  reader.refresh()
  expect(reader.get(1)).toEqual(page('hello'))
})

test('words that are gone are told, not overlooked', () => {
  const store = PageStore.open(dir)
  store.put([[1, page('first')]])
  store.put([[2, page('second')]])
  new IndexStore(dir).save(new TextIndex(defaultAnalyser), store.bounds)
  store.close()
  const path = join(dir, 'index', 'pages.bin')
  const { size } = statSync(path)
  truncateSync(path, size - 3)
  expect(() => PageStore.openToRead(dir)).toThrow(/pages\.bin is damaged \(the group at byte/)
  rmSync(path)
  expect(() => PageStore.openToRead(dir)).toThrow(/pages\.bin is damaged \(it is missing\)/)
  expect(() => PageStore.open(dir)).toThrow(/pages\.bin is damaged/)
})

test('a group cut off by a kill is cut away, and nothing else', () => {
  const store = PageStore.open(dir)
  store.put([[1, page('whole')]])
  store.close()
  const cut = Buffer.alloc(60)
  cut.writeUInt32LE(200, 0)
  cut.writeUInt32LE(1, 4)
  cut.writeUInt32LE(2, 8)
  appendFileSync(join(dir, 'index', 'pages.bin'), cut)
  const again = PageStore.open(dir)
  again.put([[3, page('after')]])
  again.close()
  const reader = PageStore.openToRead(dir)!
  expect(reader.get(1)).toEqual(page('whole'))
  expect(reader.get(2)).toBeUndefined()
  expect(reader.get(3)).toEqual(page('after'))
})
