import { expect, test } from 'vitest'
import { DnsCache } from './dns-cache.ts'

/** A name server in a few lines, with a clock to turn by hand. */
function scriptedDns(answers: Record<string, string[]>) {
  const asked: string[] = []
  const clock = { seconds: 0 }
  const cache = new DnsCache({
    now: () => clock.seconds,
    lookup: async (host) => {
      asked.push(host)
      const addresses = answers[host]
      if (!addresses) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })
      return addresses
    },
  })
  return { asked, clock, cache, answers }
}

test('a host is looked up once, however many ask at the same time', async () => {
  const { cache, asked } = scriptedDns({ 'a.example': ['192.0.2.1'] })
  const answers = await Promise.all([1, 2, 3].map(() => cache.addressesOf('a.example')))
  expect(answers).toEqual([['192.0.2.1'], ['192.0.2.1'], ['192.0.2.1']])
  expect(asked).toEqual(['a.example'])
})

test('a good answer holds for a minute', async () => {
  const { cache, asked, clock, answers } = scriptedDns({ 'a.example': ['192.0.2.1'] })
  await cache.addressesOf('a.example')
  answers['a.example'] = ['192.0.2.2']
  clock.seconds = 59
  expect(await cache.addressesOf('a.example')).toEqual(['192.0.2.1'])
  clock.seconds = 60
  expect(await cache.addressesOf('a.example')).toEqual(['192.0.2.2'])
  expect(asked).toHaveLength(2)
})

test('a bad answer holds for ten seconds', async () => {
  const { cache, asked, clock } = scriptedDns({})
  await expect(cache.addressesOf('a.example')).rejects.toThrow('no such host')
  clock.seconds = 9
  await expect(cache.addressesOf('a.example')).rejects.toThrow('no such host')
  expect(asked).toHaveLength(1)
  clock.seconds = 10
  await expect(cache.addressesOf('a.example')).rejects.toThrow('no such host')
  expect(asked).toHaveLength(2)
})

test('the address that worked last comes first, also after the next look-up', async () => {
  const { cache, clock } = scriptedDns({ 'a.example': ['2001:db8::1', '192.0.2.1', '192.0.2.2'] })
  await cache.addressesOf('a.example')
  cache.prefer('a.example', '192.0.2.1')
  const expected = ['192.0.2.1', '2001:db8::1', '192.0.2.2']
  expect(await cache.addressesOf('a.example')).toEqual(expected)
  clock.seconds = 100
  expect(await cache.addressesOf('a.example')).toEqual(expected)
})

test('doublets and floods of addresses are cut', async () => {
  const many = Array.from({ length: 500 }, (_, i) => `198.51.100.${i % 250}`)
  const { cache } = scriptedDns({ 'a.example': many })
  expect(await cache.addressesOf('a.example')).toHaveLength(8)
})

test('the system is asked when nobody else is named', async () => {
  expect(await new DnsCache().addressesOf('localhost')).toContainEqual(
    expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
  )
})
