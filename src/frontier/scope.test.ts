import { expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { parseScope, scopeTest } from './scope.ts'

const seeds = ['https://docs.example.co.uk/start']

test.each([
  ['host', 'https://docs.example.co.uk/other', true],
  ['host', 'https://www.example.co.uk/', false],
  ['host', 'https://www.docs.example.co.uk/', true],
  ['domain', 'https://www.example.co.uk/', true],
  ['domain', 'https://another.co.uk/', false],
  ['anywhere', 'https://another.co.uk/', true],
] as const)('scope %s: %s is inside: %s', (scope, url, expected) => {
  expect(scopeTest({ scope }, seeds)(url, 1) === undefined).toBe(expected)
})

test('an unknown scope is refused with the known ones', () => {
  expect(() => parseScope('site')).toThrow(SettingError)
  expect(() => parseScope('site')).toThrow(/host, domain, anywhere/)
})

test('include, exclude, depth and signs of a trap narrow it down; seeds are always welcome', () => {
  const rules = {
    scope: 'anywhere',
    include: ['example.co.uk/*', '*.org/*'],
    exclude: ['*/private/*'],
    maxDepth: 3,
  } as const
  const judge = scopeTest(rules, seeds)
  expect(judge('https://example.co.uk/x', 3)).toBeUndefined()
  expect(judge('https://example.co.uk/x', 4)).toMatch(/deeper than 3/)
  expect(judge('https://elsewhere.net/x', 1)).toBe('not included')
  expect(judge('https://a.org/private/x', 1)).toBe('excluded')
  expect(judge('https://a.org/a/a/a/a/a/a', 1)).toBeDefined()
  expect(judge(seeds[0], 9)).toBeUndefined()
})
