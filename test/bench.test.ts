import { expect, test } from 'vitest'
import { helpOf, readFlags } from '../bench/harness/benchmark.ts'

const DEFAULTS = { pages: 6_000, archive: '' }

test('flags not given keep their defaults, numbers are whole, texts are any', () => {
  expect(readFlags(['--pages', '12'], DEFAULTS)).toEqual({ pages: 12, archive: '' })
  expect(readFlags(['--archive', 'mdn'], DEFAULTS)).toEqual({ pages: 6_000, archive: 'mdn' })
  for (const wrong of ['ten', '1.5', 'many'])
    expect(() => readFlags(['--pages', wrong], DEFAULTS)).toThrow('--pages must be a whole number')
  expect(() => readFlags(['--hosts', '3'], DEFAULTS)).toThrow('--hosts')
})

test('help tells what a benchmark is about, and its flags', () => {
  expect(readFlags(['--help'], DEFAULTS)).toBeUndefined()
  const program = { about: 'Crawls a site', flags: DEFAULTS, run: async () => ({}) }
  expect(helpOf('crawl', program)).toMatch(/^Crawls a site\n[\s\S]*-- crawl [\s\S]*--pages +6000/)
})
