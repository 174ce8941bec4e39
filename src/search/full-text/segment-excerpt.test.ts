import { expect, test } from 'vitest'
import { SegmentBuilder } from './segment-builder.ts'
import { excerptOf, slotTable } from './segment-excerpt.ts'

test('an excerpt has each page’s counts of its terms, and no others', () => {
  const builder = new SegmentBuilder()
  const pages = [[7, 7, 3, 9], [], [3, 5, 99], [9]]
  pages.forEach((body, url) => {
    builder.add(url, [[], [], [], body])
  })
  const terms = Uint32Array.of(4, 7, 9, 12)
  const { offsets, entries, lengths } = excerptOf(builder.build(), slotTable(terms))
  const found = pages.map((_, place) => {
    const counts = new Map<number, number>()
    for (let entry = offsets[place]; entry < offsets[place + 1]; entry++)
      counts.set(terms[entries[2 * entry]], entries[2 * entry + 1] >>> 24)
    return Object.fromEntries(counts)
  })
  expect(found).toEqual([{ 7: 2, 9: 1 }, {}, {}, { 9: 1 }])
  expect([0, 1, 2, 3].map((place) => lengths[4 * place + 3])).toEqual([4, 0, 3, 1])
})
