import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { storedMember } from './stored-member.ts'

test('bytes come out of a stored gzip member as they went in', () => {
  const lengths = fc.oneof(fc.nat(300), fc.constantFrom(65_534, 65_535, 65_536, 131_070, 200_000))
  fc.assert(
    fc.property(lengths, fc.nat(255), (length, byte) => {
      const bytes = Buffer.alloc(length, byte)
      expect(gunzipSync(storedMember(bytes)).equals(bytes)).toBe(true)
    }),
  )
})
