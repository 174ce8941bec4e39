import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha1Digest } from './digest.ts'
import { type Capture, LastCaptures } from './last-captures.ts'

test('the last capture of each URL is remembered, as in a map', () => {
  const capture = fc.record({
    digest: fc.uint8Array({ maxLength: 3 }).map(sha1Digest),
    at: fc.nat(),
    id: fc.uuid(),
  })
  const step = fc.tuple(
    fc.nat(300).map((n) => `https://a.example/${n}`),
    capture,
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const captures = new LastCaptures()
      const twin = new Map<string, Capture>()
      for (const [url, seen] of steps) {
        captures.set(url, seen)
        twin.set(url, seen)
      }
      expect(captures.size).toBe(twin.size)
      for (const [url, seen] of twin) expect(captures.get(url)).toEqual(seen)
      expect(captures.get('https://b.example/')).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})

test('a capture that is labelled otherwise is not remembered', () => {
  const captures = new LastCaptures()
  captures.set('https://a.example/', { digest: 'md5:x', at: 1, id: crypto.randomUUID() })
  captures.set('https://a.example/', { digest: sha1Digest(Buffer.alloc(1)), at: 1, id: '' })
  expect(captures.get('https://a.example/')).toBeUndefined()
})
