import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseWebDate } from './web-date.ts'

test.each([
  ['2024', '2024-01-01T00:00:00Z'],
  ['2024-05', '2024-05-01T00:00:00Z'],
  ['2024-05-17', '2024-05-17T00:00:00Z'],
  ['2024-05-17T10:20Z', '2024-05-17T10:20:00Z'],
  ['2024-05-17T10:20:30+02:00', '2024-05-17T08:20:30Z'],
  ['2024-05-17t10:20:30.123456-0530', '2024-05-17T15:50:30Z'],
  ['2024-05-17 10:20:30', '2024-05-17T10:20:30Z'],
  ['2024-05-17 10:20:30 UTC', '2024-05-17T10:20:30Z'],
  ['Fri, 17 May 2024 10:20:30 GMT', '2024-05-17T10:20:30Z'],
  ['Fri, 17 May 2024 10:20:30 +0200', '2024-05-17T08:20:30Z'],
  ['17 May 2024 10:20 EST', '2024-05-17T15:20:00Z'],
  ['Friday, 25-Jun-10 15:00:00 UTC', '2010-06-25T15:00:00Z'],
  ['25 Jun 2010 15:00:00 PST', '2010-06-25T23:00:00Z'],
  ['1 September 99', '1999-09-01T00:00:00Z'],
  ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
  ['  2024-02-29 \n', '2024-02-29T00:00:00Z'],
])('%j is %s', (text, expected) => {
  expect(parseWebDate(text)).toBe(Date.parse(expected) / 1000)
})

test.each([
  '',
  'yesterday',
  '2024-13-01',
  '2023-02-29',
  '2024-05-00',
  '2024-05-17T25:00Z',
  '17 Foo 2024',
  '1715941230',
  '17/05/2024',
  `2024-05-17 10:20${' '.repeat(60)}UTC`,
])('%j is no date', (text) => {
  expect(parseWebDate(text)).toBeUndefined()
})

test('every date is read back from the forms that programs write', () => {
  fc.assert(
    fc.property(fc.integer({ min: -6e10, max: 2.5e11 }), (seconds) => {
      const date = new Date(seconds * 1000)
      fc.pre(date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999)
      expect(parseWebDate(date.toISOString())).toBe(seconds)
      expect(parseWebDate(date.toUTCString())).toBe(seconds)
    }),
  )
})

test('any text is read', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseWebDate(text)))
})
