import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { analyser } from '#search/analysis.ts'
import { tfIdf } from '#search/scoring.ts'
import type { TextIndex } from '#search/text-index.ts'
import { IndexStore } from './index-store.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'forager-index-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
})

const words = analyser({ stemming: false })
const page = (text: string) => ({ url: 'https://a.org/', title: '', text, anchors: [] })
const answers = (index: TextIndex, query: string) => index.search(index.prepare(query, tfIdf()), 50)

function grow(index: TextIndex, from: number, to: number): void {
  for (let url = from; url < to; url++) index.replace(url, page(`shared word${url} ünï${url % 7}`))
}

test('an index read back answers as the one that was saved, and can go on changing', () => {
  const store = new IndexStore(dir)
  const index = store.load(words)
  grow(index, 0, 30)
  store.save(index)
  grow(index, 20, 40) // replaces some
  index.remove(3)
  store.save(index)

  const again = new IndexStore(dir)
  const loaded = again.load(words)
  for (const query of ['shared', 'word25', 'uni3', 'word3'])
    expect(answers(loaded, query)).toEqual(answers(index, query))
  for (const one of [index, loaded]) {
    grow(one, 35, 50)
    while (one.compact());
  }
  again.save(loaded)
  expect(answers(new IndexStore(dir).load(words), 'shared word40')).toEqual(
    answers(index, 'shared word40'),
  )
})

test('a kill before the manifest is in place leaves the index as it was', () => {
  const store = new IndexStore(dir)
  const index = store.load(words)
  grow(index, 0, 10)
  store.save(index)
  const before = answers(index, 'shared')
  // What a killed save leaves: terms, segments and a manifest that was never renamed.
  const folder = join(dir, 'index')
  appendFileSync(join(folder, 'terms.txt'), 'half-writ')
  writeFileSync(join(folder, 'segment-99.bin'), 'cut off')
  writeFileSync(join(folder, 'manifest.json.new'), '{"format":')
  const again = new IndexStore(dir)
  const loaded = again.load(words)
  expect(answers(loaded, 'shared')).toEqual(before)
  grow(loaded, 10, 12)
  again.save(loaded)
  expect(readdirSync(folder)).not.toContain('segment-99.bin')
  expect(answers(new IndexStore(dir).load(words), 'word11').map(({ url }) => url)).toEqual([11])
})

test('files of segments that were merged away are dropped', () => {
  const store = new IndexStore(dir)
  const index = store.load(words)
  for (let round = 0; round < 12; round++) {
    grow(index, round * 3, round * 3 + 3)
    store.save(index)
    while (index.compact());
    store.save(index)
  }
  const files = readdirSync(join(dir, 'index')).filter((name) => name.startsWith('segment'))
  expect(files.length).toBe(index.segments.length)
})

test('a damaged segment is reported by its name', () => {
  const store = new IndexStore(dir)
  const index = store.load(words)
  grow(index, 0, 10)
  store.save(index)
  const [file] = readdirSync(join(dir, 'index')).filter((name) => name.startsWith('segment'))
  cpSync(join(dir, 'index', 'terms.txt'), join(dir, 'index', file))
  expect(() => new IndexStore(dir).load(words)).toThrow(file)
})
