import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalQuery } from './normal-query.ts'

test('one question has one form', () => {
  for (const raw of ['Red  Shoes', ' red shoes\t', 'ＲＥＤ shoes', 'red\u00a0shoes', 'RED\nSHOES'])
    expect(normalQuery(raw)).toEqual({ text: 'red shoes' })
})

test('the normal form of a normal form is itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (raw) => {
      const { text } = normalQuery(raw)
      if (text !== undefined) expect(normalQuery(text)).toEqual({ text })
    }),
  )
})

describe('what may tell who asked is rejected', () => {
  test.each(['write to jane.doe@example.org please', 'jane@münchen.de'])(
    'the e-mail address in "%s"',
    (raw) => {
      expect(normalQuery(raw)).toEqual({ rejection: 'holds an e-mail address' })
    },
  )

  test.each([
    '4111 1111 1111 1111',
    'call +49 (89) 1234-5678',
    'invoice 12345678',
    '555.123.4567',
    '٤١١١١١١١١١',
  ])('the number in "%s"', (raw) => {
    expect(normalQuery(raw)).toEqual({ rejection: 'holds a long number' })
  })

  test.each([
    'world war 1939-1945',
    'news 2026-01-31',
    'iphone 15 256 gb',
    'rfc 9309',
    'user@host',
    '100 000 euro',
  ])('but not "%s"', (raw) => {
    expect(normalQuery(raw).text).toBe(raw)
  })
})

test('nothing to look for is no query, nor is a whole text', () => {
  for (const raw of ['', '   ', '???', '\u200b'])
    expect(normalQuery(raw)).toEqual({ rejection: 'no query text' })
  expect(normalQuery('ab '.repeat(200))).toEqual({ rejection: 'query too long' })
})
