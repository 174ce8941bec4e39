import { expect, test } from 'vitest'
import { RecordPacker } from './record-packer.ts'

test('packed records leave no room behind that only the engine could give back', () => {
  const packer = new RecordPacker()
  const body = Buffer.alloc(100_000, '<p>some words of a page</p>\n')
  packer.pack([], 'head', body)
  const before = process.memoryUsage().arrayBuffers
  for (let record = 0; record < 100; record++) packer.pack([], 'head', body)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000)
})
