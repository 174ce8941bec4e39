import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSegments } from './merge-segments.ts'
import type { LiveSegment } from './segment.ts'
import { SegmentBuilder } from './segment-builder.ts'

const words = fc.array(fc.nat({ max: 30 }), { maxLength: 12 })
const page = fc.record({ fields: fc.tuple(words, words, words, words), isAlive: fc.boolean() })

test('segments are merged into the one that is built of their living pages', () => {
  fc.assert(
    fc.property(fc.array(fc.array(page, { maxLength: 6 }), { maxLength: 5 }), (groups) => {
      let url = 0
      const scratch = new SegmentBuilder()
      const segments = groups.map((pages): LiveSegment => {
        const builder = new SegmentBuilder()
        for (const { fields, isAlive } of pages) {
          builder.add(++url, fields)
          if (isAlive) scratch.add(url, fields)
        }
        const alive = Uint8Array.from(pages, ({ isAlive }) => Number(isAlive))
        return { segment: builder.build(), alive, aliveCount: alive.filter(Boolean).length }
      })
      expect(mergeSegments(segments)).toEqual(scratch.build())
      for (const { segment } of segments) expect(segment.places).toHaveLength(0)
    }),
  )
})
