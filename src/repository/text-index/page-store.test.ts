import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PageStore } from './page-store.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'forager-pages-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

const page = (text: string) => ({ url: 'https://a.org/', title: 'Tïtle', text, fetchedAt: 5.5 })

test('the last words of a page are the ones that count, also after a restart', () => {
  const store = PageStore.open(dir)
  store.put(7, page('old'))
  store.put(3, page('x'.repeat(3_000_000)))
  store.put(7, page('new words'))
  store.close()
  const again = PageStore.open(dir)
  expect(again.get(7)).toEqual(page('new words'))
  expect(again.get(3)?.text.length).toBe(3_000_000)
  expect(again.get(5)).toBeUndefined()
  again.close()
})

test('a reader sees what a writer adds, once it looks again', () => {
  expect(PageStore.openToRead(dir)).toBeUndefined()
  const writer = PageStore.open(dir)
  const reader = PageStore.openToRead(dir)!
  writer.put(1, page('hello'))
  expect(reader.get(1)).toBeUndefined()
  reader.refresh()
  expect(reader.get(1)).toEqual(page('hello'))
})

test('a record cut off by a kill is cut away, and nothing else', () => {
  const store = PageStore.open(dir)
  store.put(1, page('whole'))
  store.close()
  appendFileSync(join(dir, 'index', 'pages.bin'), Buffer.from([2, 0, 0, 0, 200, 0, 0, 0, 1, 2, 3]))
  const again = PageStore.open(dir)
  again.put(3, page('after'))
  again.close()
  const reader = PageStore.openToRead(dir)!
  expect(reader.get(1)).toEqual(page('whole'))
  expect(reader.get(2)).toBeUndefined()
  expect(reader.get(3)).toEqual(page('after'))
})
