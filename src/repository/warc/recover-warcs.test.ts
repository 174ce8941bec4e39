import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { readCdxjLine } from './cdxj.ts'
import { sortCdxj } from './sort-cdxj.ts'
import {
  exchangeOf,
  NOON,
  openWriter,
  parseWithWarcio,
  readWithWarcio,
  warcNames,
} from './warc.test-kit.ts'

/** Cuts at every byte in CI; by default around the ends of records and at some others. */
function* cutsOf(length: number, ends: readonly number[]): Generator<number> {
  for (let cut = 0; cut < length; cut++)
    if (isThorough || cut % 13 === 0 || ends.some((end) => Math.abs(end - cut) <= 1)) yield cut
}

const HOME = 'https://a.example/'

/** A small file of two exchanges, where its members end, and its index. */
async function smallFile() {
  const dir = temporaryFolder()
  const writer = await openWriter(dir)
  writer.append(exchangeOf('<p>one'), { url: `${HOME}1`, isSeed: true })
  writer.append(exchangeOf('<p>two', { startedAt: NOON + 1 }), {
    url: `${HOME}2`,
    purpose: 'acquire',
  })
  await writer.close()
  const [name] = warcNames(dir)
  const bytes = readFileSync(join(dir, name))
  const seen = await parseWithWarcio(bytes)
  const ends = [0, ...seen.map(({ offset, length }) => offset + length)]
  const index = readFileSync(join(dir, 'index.cdxj'), 'utf8')
  return { dir, name, bytes, ends, index, seen }
}

/** The offsets of responses that lie whole before `end`. */
const responsesBefore = (end: number, { seen }: Awaited<ReturnType<typeof smallFile>>) =>
  seen.filter(({ type, offset, length }) => type === 'response' && offset + length <= end)

describe('after a kill', () => {
  test('a file cut anywhere is whole again up to its last record, and so is the index', async () => {
    const small = await smallFile()
    const { name, bytes, ends, index } = small
    const lines = index.split('\n').slice(0, 2)
    const tryCut = async (dir: string, cut: number) => {
      const lastEnd = ends.findLast((end) => end <= cut)!
      const whole = responsesBefore(cut, small).map(({ offset }) => offset)
      // The index is written after the record: the last line may be missing.
      const indexed = Math.max(0, whole.length - (cut % 2))
      const indexPath = join(dir, 'index.cdxj')
      writeFileSync(join(dir, name), bytes.subarray(0, cut))
      writeFileSync(indexPath, lines.slice(0, indexed).join('\n') + (indexed > 0 ? '\n' : ''))
      const { opened } = await openWriter(dir)
      const offsets = readFileSync(indexPath, 'utf8')
        .split('\n')
        .flatMap((line) => readCdxjLine(line)?.offset ?? [])
      const seen = [opened.cutBytes, opened.indexed, opened.captures.size, offsets]
      const wanted = [cut - lastEnd, whole.length - indexed, whole.length, whole]
      expect(seen, `cut at ${cut}`).toEqual(wanted)
      expect(statSync(join(dir, name)).size, `cut at ${cut}`).toBe(lastEnd)
    }
    const lanes = Array.from({ length: 7 }, async (_, lane) => {
      const dir = temporaryFolder()
      for (const cut of cutsOf(bytes.length, ends)) if (cut % 7 === lane) await tryCut(dir, cut)
    })
    await Promise.all(lanes)
  })

  test('the next exchange follows the last whole record', async () => {
    const { name, bytes, ends } = await smallFile()
    for (const cut of [1, ends[1] - 1, ends[2] + 5, bytes.length - 1]) {
      const dir = temporaryFolder()
      writeFileSync(join(dir, name), bytes.subarray(0, cut))
      const writer = await openWriter(dir)
      const place = writer.append(exchangeOf('<p>three'), { url: `${HOME}3` })
      await writer.close()
      expect(place.file).toBe(name)
      const seen = await readWithWarcio(join(dir, name))
      expect(seen[0].type).toBe('warcinfo')
      expect(seen.findLast(({ type }) => type === 'response')).toMatchObject({
        url: `${HOME}3`,
        offset: place.offset,
        length: place.length,
      })
    }
  })

  test('an index cut anywhere gets back what it lost', async () => {
    const { dir, index } = await smallFile()
    const path = join(dir, 'index.cdxj')
    for (const cut of cutsOf(index.length, [0, index.length - 1])) {
      writeFileSync(path, index.slice(0, cut))
      const writer = await openWriter(dir)
      await writer.close()
      await sortCdxj(path)
      expect(readFileSync(path, 'utf8')).toBe(index)
    }
  })

  test('an index that does not fit its files is made anew', async () => {
    const { dir, index } = await smallFile()
    const path = join(dir, 'index.cdxj')
    for (const wrong of [index.replaceAll(/"offset":"(\d+)"/g, '"offset":"1$1"'), index.slice(9)]) {
      writeFileSync(path, wrong)
      await (await openWriter(dir)).close()
      await sortCdxj(path)
      expect(readFileSync(path, 'utf8')).toContain(index.split('\n')[1])
      expect(readFileSync(path, 'utf8')).not.toContain('"offset":"1,')
    }
    rmSync(path)
    expect((await openWriter(dir)).opened.indexed).toBe(2)
    await sortCdxj(path)
    expect(readFileSync(path, 'utf8')).toBe(index)
  })

  test('damage in the middle costs nothing that follows it', async () => {
    const { dir, name, bytes, ends } = await smallFile()
    const damaged = Buffer.from(bytes)
    damaged.fill(0, ends[1] + 20, ends[1] + 60)
    writeFileSync(join(dir, name), damaged)
    rmSync(join(dir, 'index.cdxj'))
    const { opened } = await openWriter(dir)
    expect(opened).toMatchObject({ cutBytes: 0, indexed: 1 })
    expect(statSync(join(dir, name)).size).toBe(bytes.length)
  })

  test('zeros that a power cut left at the end are cut off', async () => {
    const { dir, name, bytes } = await smallFile()
    writeFileSync(join(dir, name), Buffer.concat([bytes, Buffer.alloc(5000)]))
    const { opened } = await openWriter(dir)
    expect(opened).toMatchObject({ cutBytes: 5000, indexed: 0 })
    expect(readFileSync(join(dir, name))).toEqual(bytes)
  })

  test('what the tables know is not cut off: its loss is told', async () => {
    const { dir, name, bytes, ends } = await smallFile()
    const tables = { dir: '/crawl', lastOffsets: new Map([[name, ends[ends.length - 4]]]) }
    expect((await openWriter(dir, { tables })).opened).toMatchObject({ cutBytes: 0 })
    const damaged = Buffer.from(bytes)
    damaged[ends[ends.length - 4] + 30] ^= 1
    for (const left of [bytes.subarray(0, ends[ends.length - 4]), damaged]) {
      writeFileSync(join(dir, name), left)
      if (left.equals(damaged)) truncateSync(join(dir, name), ends[ends.length - 3])
      const size = statSync(join(dir, name)).size
      await expect(openWriter(dir, { tables })).rejects.toThrow(
        /warc\.gz is damaged .*lost that the tables know/,
      )
      expect(statSync(join(dir, name)).size).toBe(size)
    }
  })

  test('only the newest file is cut', async () => {
    const { dir, name, bytes, ends } = await smallFile()
    const second = name.replace('-00001', '-00002')
    copyFileSync(join(dir, name), join(dir, second))
    truncateSync(join(dir, name), ends[2] + 5)
    truncateSync(join(dir, second), bytes.length - 5)
    rmSync(join(dir, 'index.cdxj'))
    const { opened } = await openWriter(dir)
    expect(opened.cutBytes).toBe(bytes.length - 5 - ends[ends.length - 2])
    expect(statSync(join(dir, name)).size).toBe(ends[2] + 5)
  })
})

test('a failed write takes back what it wrote, and the next one succeeds', async () => {
  // A folder where the index should be makes the write fail after the record was written.
  const dir = temporaryFolder()
  const writer = await openWriter(dir)
  writer.append(exchangeOf('<p>one'), { url: HOME })
  await writer.close()
  rmSync(join(dir, 'index.cdxj'))
  mkdirSync(join(dir, 'index.cdxj'))
  expect(() => writer.append(exchangeOf('<p>two'), { url: `${HOME}2` })).toThrow()
  rmSync(join(dir, 'index.cdxj'), { recursive: true })
  writer.append(exchangeOf('<p>three'), { url: `${HOME}3` })
  await writer.close()
  for (const name of warcNames(dir)) await readWithWarcio(join(dir, name))
  const again = await openWriter(dir)
  expect(again.opened.cutBytes).toBe(0)
  const index = readFileSync(join(dir, 'index.cdxj'), 'utf8')
  for (const url of [HOME, `${HOME}3`]) expect(index).toContain(`"url":"${url}"`)
})
