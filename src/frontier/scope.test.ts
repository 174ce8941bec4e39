import { expect, test } from 'vitest'
import { UsageError } from '#parse/usage-error.ts'
import { parseScope, scopeTest } from './scope.ts'

const seeds = ['https://docs.example.co.uk/start']

test.each([
  ['host', 'https://docs.example.co.uk/other', true],
  ['host', 'https://www.example.co.uk/', false],
  ['domain', 'https://www.example.co.uk/', true],
  ['domain', 'https://another.co.uk/', false],
  ['anywhere', 'https://another.co.uk/', true],
] as const)('scope %s: %s is inside: %s', (scope, url, expected) => {
  expect(scopeTest(scope, seeds)(url)).toBe(expected)
})

test('an unknown scope is refused with the known ones', () => {
  expect(() => parseScope('site')).toThrow(UsageError)
  expect(() => parseScope('site')).toThrow(/host, domain, anywhere/)
})
