import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainJson, plainLines, plainText } from './plain-text.ts'

const ESC = '\u001b'

test('escape sequences lose their power, whether they begin with ESC or with a C1 control', () => {
  expect(plainText(`${ESC}[2Jgone${ESC}]0;owned\u0007`)).toBe('[2Jgone ]0;owned')
  expect(plainText('\u009b31mred')).toBe('31mred')
  expect(plainText('over\rwritten')).toBe('over written')
})

test('a title cannot forge a line of our output, nor turn its direction around', () => {
  expect(plainText('nice\nforager: all is well')).toBe('nice forager: all is well')
  expect(plainText('safe\u202egpj.exe')).toBe('safe gpj.exe')
})

test('our own lines stay lines', () => {
  expect(plainLines('one\ntwo\u001b[31m')).toBe('one\ntwo [31m')
})

test('letters of every script stay as they are', () => {
  expect(plainText('Ünïcödé — 日本語 العربية 🙂')).toBe('Ünïcödé — 日本語 العربية 🙂')
})

test('JSON shows no control character and still means the same, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = plainJson({ text })
      expect(json).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
      expect(JSON.parse(json)).toEqual({ text })
    }),
  )
})
