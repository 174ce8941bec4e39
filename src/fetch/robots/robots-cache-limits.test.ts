import { describe, expect, test } from 'vitest'
import { RobotsCache } from './robots-cache.ts'

describe('when there are too many files to keep', () => {
  const fileOf = (chars: number) =>
    Buffer.from(`User-agent: *\n${'Disallow: /x\n'.repeat(chars / 13)}`)
  const cacheOf = (charsOf: (host: string) => number) =>
    new RobotsCache({
      agentToken: 'forager',
      now: () => 0,
      get: async ({ host }) => ({
        ...{ kind: 'answer', status: 200, headers: {}, bytes: 0, truncated: false },
        body: fileOf(charsOf(host)),
      }),
    })

  test('of large ones only so many are kept at a time, as their rules take memory', async () => {
    const kept = async (chars: number) => {
      const cache = cacheOf(() => chars)
      for (let host = 0; host < 90; host++) await cache.load(`http://h${host}.example`)
      return cache.records().length
    }
    expect(await kept(40_000)).toBe(90)
    expect(await kept(400_000)).toBe(59)
  })

  test('large ones go, and the small ones before them need not be asked for again', async () => {
    const cache = cacheOf((host) => (host.startsWith('small') ? 100 : 400_000))
    for (const kind of ['small', 'large'])
      for (let host = 0; host < 90; host++) await cache.load(`http://${kind}${host}.example`)
    const isKnown = (host: string) => cache.known(`http://${host}.example`) !== undefined
    expect(isKnown('small0')).toBe(true)
    expect(isKnown('large0')).toBe(false)
    expect(isKnown('large89')).toBe(true)
  })
})
