import { expect, test } from 'vitest'
import { testLinear } from '#parse/adversarial.test-kit.ts'
import { globTest } from './glob.ts'

test.each([
  ['https://a.org/docs/*', 'https://a.org/docs/x/y', true],
  ['https://a.org/docs/*', 'http://a.org/docs/x', false],
  ['a.org/docs/*', 'http://a.org/docs/x', true],
  ['a.org/docs/*', 'https://b.a.org/docs/x', false],
  ['*.pdf', 'https://a.org/x.pdf', true],
  ['*.pdf', 'https://a.org/x.pdf?y=1', false],
  ['*/login*', 'https://a.org/user/login?next=/', true],
  ['a.org/*/print', 'https://a.org/x/y/print', true],
  ['a.org/*/print', 'https://a.org/print', false],
  ['a.org/', 'https://a.org/', true],
  ['a.org/', 'https://a.org/x', false],
  ['a.org/*x*x', 'https://a.org/x', false],
  ['*', 'https://a.org/', true],
])('%s matches %s: %s', (pattern, url, expected) => {
  expect(globTest(pattern)(url)).toBe(expected)
})

/** Addresses are strangers' work, and each link is tried. */
testLinear(
  'a pattern of stars against an address of letters',
  (size) => `https://a.org/${'a'.repeat(size)}`,
  (url) => ['a.org/*a*a*a*b', '*aab*', '*aaaaaaab*a*'].map((pattern) => globTest(pattern)(url)),
  64_000,
)
