import { expect, test } from 'vitest'
import { ForeignSites } from './foreign-sites.ts'

const time = { now: 0 }
const foreign = () => new ForeignSites(() => time.now)

test('pages ask their own site as they like, and all of them together another one no more than a few a second', () => {
  const sites = foreign()
  const asked = (times: number, url = 'https://api.victim.org/x') =>
    Array.from({ length: times }, (_, n) => sites.admits(url, `https://h${n % 3}.evil.org/${n}`))
  const admitted = (times: number) => asked(times).filter(Boolean).length
  expect(asked(500, 'https://cdn.evil.org/x.js')).not.toContain(false)
  expect(admitted(500)).toBe(100)
  time.now += 2
  expect(admitted(500)).toBe(10)
  time.now += 3_600
  expect(admitted(500)).toBe(100)
})

test('a site that is too busy is left alone for as long as it says', () => {
  const sites = foreign()
  const admits = () => sites.admits('https://victim.org/x', 'https://evil.org/')
  expect(admits()).toBe(true)
  sites.rest('https://victim.org/x', 120)
  time.now += 119
  expect(admits()).toBe(false)
  time.now += 2
  expect(admits()).toBe(true)
})
