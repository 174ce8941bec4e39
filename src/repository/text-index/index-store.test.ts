import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { tfIdf } from '#search/full-text/scoring.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import { analyser } from '#search/text/analysis.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { IndexStore } from './index-store.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
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

test('a kill during a merge loses nothing, wherever it strikes', () => {
  const store = new IndexStore(dir)
  const index = store.load(words)
  for (const first of [0, 10, 20, 30]) {
    grow(index, first, first + 10)
    if (first === 20) index.remove(4)
    store.save(index)
  }
  const folder = join(dir, 'index')
  const before = mkdtempSync(join(tmpdir(), 'forager-merge-'))
  cpSync(folder, join(before, 'index'), { recursive: true })
  expect(index.compact()).toBe(true)
  grow(index, 40, 41)
  store.save(index)
  // In the order in which a save writes them; each may be there half, and all that come before whole.
  const written = ['terms.txt', ...readdirSync(folder).filter((name) => /^segment/.test(name))]
  for (const [step, name] of [...written, 'manifest.json.new'].entries())
    for (const share of [0.5, 1]) {
      const killed = mkdtempSync(join(before, 'killed-'))
      cpSync(join(before, 'index'), join(killed, 'index'), { recursive: true })
      for (const whole of written.slice(0, step))
        cpSync(join(folder, whole), join(killed, 'index', whole))
      const bytes = readFileSync(join(folder, name.replace('.new', '')))
      const kept = name === 'terms.txt' ? statSync(join(before, 'index', name)).size : 0
      const reached = kept + Math.ceil((bytes.length - kept) * share)
      writeFileSync(join(killed, 'index', name), bytes.subarray(0, reached))
      const again = new IndexStore(killed)
      const loaded = again.load(words)
      expect(answers(loaded, 'shared')).toHaveLength(39)
      while (loaded.compact());
      grow(loaded, 40, 41)
      again.save(loaded)
      for (const query of ['shared', 'word25', 'word40', 'uni3'])
        expect(answers(new IndexStore(killed).load(words), query)).toEqual(answers(index, query))
    }
  rmSync(before, { recursive: true, force: true })
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

test('whatever is damaged or missing is named, with what to do', () => {
  const store = new IndexStore(dir)
  const index = store.load(words)
  grow(index, 0, 10)
  store.save(index)
  index.remove(3)
  store.save(index)
  const files = readdirSync(join(dir, 'index'))
  expect(files.map((file) => file.replace(/\d/, ''))).toEqual(
    expect.arrayContaining(['alive-.bin', 'manifest.json', 'segment-.bin', 'terms.txt']),
  )
  for (const file of files) {
    const path = join(dir, 'index', file)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.subarray(0, bytes.length - 4))
    const load = () => new IndexStore(dir).load(words)
    expect(load).toThrow(RegExp(`${file} is damaged \\(.+\\)`))
    expect(load).toThrow(expect.objectContaining({ remedy: { kind: 'repair', dir } }))
    rmSync(path)
    if (file !== 'manifest.json') expect(load).toThrow(`${file} is damaged (it is missing)`)
    writeFileSync(path, bytes)
  }
  writeFileSync(join(dir, 'index', 'manifest.json'), '{"format":3}')
  expect(() => new IndexStore(dir).load(words)).toThrow(/manifest.json is damaged/)
  const newer = { format: 4, crc: crc32('{"format":4}') }
  writeFileSync(join(dir, 'index', 'manifest.json'), JSON.stringify(newer))
  expect(() => new IndexStore(dir).load(words)).toThrow(/newer forager/)
})

test('who only looks for an index makes no folder for one', () => {
  expect(new IndexStore(dir).load(words).size).toBe(0)
  expect(existsSync(join(dir, 'index'))).toBe(false)
})
