import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizePercentEncoding } from './percent-encoding.ts'

test.each([
  ['/plain/path?a=b', '/plain/path?a=b'],
  ['/%7e%41%2d%2E%5f', '/~A-._'],
  ['/%2f%3a%c3%a9', '/%2F%3A%C3%A9'],
  ['/ü |', '/%C3%BC%20%7C'],
  ['/%zz%', '/%25zz%25'],
])('%s is written %s', (text, expected) => {
  expect(normalizePercentEncoding(text)).toBe(expected)
})

test('normalising twice changes nothing more, whatever the text', () => {
  const unit = fc.constantFrom('%', '4', '1', 'e', 'E', '2', '5', 'é', '\udc00', '/', ' ', '~')
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), (text) => {
      const once = normalizePercentEncoding(text)
      expect(normalizePercentEncoding(once)).toBe(once)
    }),
  )
})

/** The same, one match after the other. */
function byRegularExpression(text: string): string {
  return text.replace(
    /%([0-9A-Fa-f]{2})?|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g,
    (found, hex: string | undefined) => {
      if (hex === undefined) return found === '%' ? '%25' : encodeURIComponent(found.toWellFormed())
      const character = String.fromCharCode(Number.parseInt(hex, 16))
      return /[A-Za-z0-9\-._~]/.test(character) ? character : found.toUpperCase()
    },
  )
}

test('a loop over characters gives what regular expressions give', () => {
  const unit = fc.constantFrom(
    '%',
    '%',
    '4',
    '1',
    'e',
    'F',
    '2',
    '0',
    'é',
    '\udc00',
    '/',
    ' ',
    '"',
    '\0',
  )
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), (text) => {
      expect(normalizePercentEncoding(text)).toBe(byRegularExpression(text))
    }),
    { numRuns: 2000 },
  )
})
