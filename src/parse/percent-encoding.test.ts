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
