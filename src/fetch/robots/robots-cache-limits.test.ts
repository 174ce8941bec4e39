import { describe, expect, test } from 'vitest'
import { heldBytes } from '#numeric/stays-linear.test-kit.ts'
import { ADVERSARIAL_ROBOTS, ROBOTS_TXT_BYTES } from '#parse/adversarial-robots.test-kit.ts'
import { RobotsCache } from './robots-cache.ts'

describe('when there are too many files to keep', () => {
  const fileOf = (chars: number) =>
    Buffer.from(`User-agent: *\n${'Disallow: /x\n'.repeat(chars / 13)}`)
  const cacheOf = (charsOf: (host: string) => number, now = () => 0) =>
    new RobotsCache({
      agentToken: 'forager',
      now,
      get: async ({ host }) => ({
        ...{ kind: 'answer', status: 200, headers: {}, bytes: 0, truncated: false },
        body: fileOf(charsOf(host)),
      }),
    })

  test('of large ones only so many are kept at a time, as their rules take memory', async () => {
    const kept = async (chars: number) => {
      const cache = cacheOf(() => chars)
      for (let host = 0; host < 90; host++) await cache.load(`http://h${host}.example`)
      return cache.records().robotsRecords.length
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

  test('those that are to be kept are handed over some at a time, and each once', async () => {
    let time = 0
    const cache = cacheOf(
      () => 400_000,
      () => ++time,
    )
    for (let host = 0; host < 30; host++) await cache.load(`http://h${host}.example`)
    const handed: string[][] = []
    for (let since: number | undefined = 0; since !== undefined; ) {
      const { robotsRecords, robotsUntil } = cache.records(since)
      handed.push(robotsRecords.map(({ origin }) => origin))
      since = robotsUntil
    }
    expect(handed.map(({ length }) => length)).toEqual(Array(15).fill(2))
    expect(new Set(handed.flat()).size).toBe(30)
  })
})

describe('the largest files that are read', () => {
  const origins = ADVERSARIAL_ROBOTS.map((_, i) => `http://h${i}.example`)
  const textOf = (i: number) => ADVERSARIAL_ROBOTS[i].body(ROBOTS_TXT_BYTES - 1).toString()
  const loaded = async () => {
    const cache = new RobotsCache({
      ...{ agentToken: 'forager', now: () => 0, sitemaps: false },
      get: async ({ host }) => ({
        ...{ kind: 'answer', status: 200, headers: {}, bytes: 0, truncated: false },
        body: Buffer.from(textOf(Number(/\d+/.exec(host)![0]))),
      }),
    })
    for (const origin of origins) await cache.load(origin)
    return cache
  }

  test('take less memory than their bytes, rules ready to be asked, whatever their shape', async () => {
    const before = heldBytes()
    const cache = await loaded()
    expect(heldBytes() - before).toBeLessThan(0.9 * origins.length * ROBOTS_TXT_BYTES)
    expect(cache.known(origins[0])?.kind).toBe('rules')
  })

  test('are handed on as they came', async () => {
    const cache = await loaded()
    const records = structuredClone(cache.records().robotsRecords)
    expect(records.map(({ text }) => text)).toEqual(
      origins.map((_, i) => textOf(i)).slice(0, records.length),
    )
    expect(records.length).toBe(origins.length)
  })
})
