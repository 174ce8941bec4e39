import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseHtml } from '../html/html.ts'
import { textFingerprint } from './text-fingerprint.ts'

const of = (html: string) => textFingerprint(parseHtml(html, 'https://a.example/').text)

test('pages that differ in markup and white space only are the same', () => {
  expect(of('<p>One <b>two</b></p><p>three')).toBe(of('<div>One\n two three</div><!-- x -->'))
  expect(of('<p>One two three')).not.toBe(of('<p>One two four'))
  expect(of('<p>one')).toMatch(/^[0-9a-f]{16}$/)
})

test('an empty page is nobody’s double', () => {
  expect(of('<p> </p>')).toBe('')
})

test('texts have the same fingerprint if and only if their characters are the same', () => {
  const packed = (text: string) => text.replace(/\s/g, '')
  fc.assert(
    fc.property(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }), (a, b) => {
      expect(textFingerprint(a) === textFingerprint(b)).toBe(packed(a) === packed(b))
    }),
  )
})
