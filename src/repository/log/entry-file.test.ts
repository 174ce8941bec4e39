import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedFolder } from '../temporary-folder.test-kit.ts'
import { readEntryFile, writeEntryFile } from './entry-file.ts'

const folder = sharedFolder()
const path = join(folder, '000001.jsonl.zst')

test('an entry is read back as it was written, whatever it holds and however long it is', async () => {
  const entry = fc.tuple(fc.object({ maxKeys: 3 }), fc.array(fc.jsonValue()))
  await fc.assert(
    fc.asyncProperty(entry, async ([head, items]) => {
      await writeEntryFile(path, head, items)
      expect(JSON.stringify(await Array.fromAsync(readEntryFile(path)))).toBe(
        JSON.stringify([head, ...items]),
      )
    }),
    { numRuns: 30 },
  )
  const long = Array.from({ length: 40 }, (_, i) => ({ i, text: 'ä€'.repeat(20_000 * (i % 3)) }))
  await writeEntryFile(path, { kind: 'long' }, long)
  expect(await Array.fromAsync(readEntryFile(path))).toEqual([{ kind: 'long' }, ...long])
})

test('an entry that could not be written leaves nothing', async () => {
  const before = readFileSync(path)
  async function* failing(): AsyncGenerator<number> {
    yield 1
    throw new Error('no more')
  }
  await expect(writeEntryFile(path, {}, failing())).rejects.toThrow('no more')
  expect(readdirSync(folder)).toEqual(['000001.jsonl.zst'])
  expect(readFileSync(path)).toEqual(before)
})

test('a damaged entry cannot be read, or is as it was', async () => {
  const entry = [{ kind: 'cycle' }, ...Array.from({ length: 50 }, (_, i) => ({ i, of: 'fifty' }))]
  await writeEntryFile(path, entry[0], entry.slice(1))
  const good = readFileSync(path)
  const place = fc.noBias(fc.nat(good.length - 1))
  await fc.assert(
    fc.asyncProperty(place, fc.uint8Array({ minLength: 1, maxLength: 9 }), async (at, bytes) => {
      const damaged = Buffer.from(good)
      damaged.set(bytes.subarray(0, good.length - at), at)
      writeFileSync(path, damaged)
      const read = await Array.fromAsync(readEntryFile(path)).catch(() => 'damaged')
      if (read !== 'damaged') expect(read).toEqual(entry)
    }),
    { numRuns: 200 },
  )
  for (const length of [0, 3, Math.floor(good.length / 2), good.length - 1]) {
    writeFileSync(path, good.subarray(0, length))
    await expect(Array.fromAsync(readEntryFile(path))).rejects.toThrow()
  }
})
