import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBody } from './charset.ts'

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const utf8 = (text: string) => new TextEncoder().encode(text)
const HTML_UTF8 = 'text/html; charset=utf-8'

test('a byte order mark outweighs the header, and is no part of the text', () => {
  const utf16le = new Uint8Array([0xff, 0xfe, 0xe9, 0x00])
  const utf16be = new Uint8Array([0xfe, 0xff, 0x00, 0xe9])
  expect(decodeBody(utf16le, HTML_UTF8)).toBe('é')
  expect(decodeBody(utf16be, HTML_UTF8)).toBe('é')
  expect(decodeBody(utf8('\ufeffé'), 'text/html; charset=iso-8859-1')).toBe('é')
})

test('the header outweighs what the document declares', () => {
  const body = utf8('<meta charset="windows-1252">é')
  expect(decodeBody(body, HTML_UTF8)).toContain('é')
  expect(decodeBody(body, 'text/html')).toContain('Ã©')
})

test.each([
  'text/html;charset=KOI8-R',
  'text/html; Charset = "koi8-r"',
  "text/html; charset='koi8-r'; x=y",
])('the header %s names an encoding', (contentType) => {
  expect(decodeBody(new Uint8Array([0xc4, 0xc1]), contentType)).toBe('да')
})

test.each([
  '<meta charset=koi8-r>',
  '<META CharSet = "KOI8-R" />',
  '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
  '<?xml version="1.0" encoding="koi8-r"?>',
  '<!-- <meta charset=utf-8> --><meta charset=koi8-r>',
])('%s names an encoding', (declaration) => {
  expect(decodeBody(latin1(`${declaration}\xc4\xc1`))).toBe(`${declaration}да`)
})

test('a declaration after the first 1024 bytes comes too late', () => {
  const body = latin1(`${' '.repeat(1024)}<meta charset=koi8-r>\xc4\xc1`)
  expect(decodeBody(body)).toContain('ÄÁ')
})

test('a document that declares UTF-16 in ASCII is in UTF-8', () => {
  expect(decodeBody(utf8('<meta charset=utf-16>é'))).toContain('é')
})

test('an unknown encoding is passed over', () => {
  expect(decodeBody(utf8('é'), 'text/html; charset=klingon')).toBe('é')
  expect(decodeBody(latin1('<meta charset=klingon>\xe9'))).toContain('é')
})

test('undeclared bytes are UTF-8 if they can be, else windows-1252', () => {
  expect(decodeBody(utf8('naïve €'))).toBe('naïve €')
  expect(decodeBody(latin1('na\xefve \x80'))).toBe('naïve €')
})

test('any bytes under any header become a string', () => {
  const type = fc.oneof(
    fc.string(),
    fc.constantFrom('utf-8', 'gb18030', 'shift_jis', 'utf-16', 'hz'),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), type, (body, label) => {
      expect(typeof decodeBody(body, `text/html; charset=${label}`)).toBe('string')
      expect(typeof decodeBody(body)).toBe('string')
    }),
  )
})

test.each(['shift_jis', 'euc-jp', 'iso-2022-jp', 'gb18030'])(
  'a long document in %s is read whole, also where it is cut into pieces',
  (label) => {
    const inLabel: Record<string, number[]> = {
      shift_jis: [0x82, 0xa0, 0x61],
      'euc-jp': [0x8f, 0xb0, 0xa1, 0xa4, 0xa2],
      'iso-2022-jp': [0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42, 0x61],
      gb18030: [0x81, 0x30, 0x81, 0x31, 0x61],
    }
    const body = Buffer.alloc(700_000, Buffer.from(inLabel[label]))
    const text = decodeBody(body, `text/html; charset=${label}`)
    expect(text === new TextDecoder(label).decode(body)).toBe(true)
  },
)

test('a long document that is not in its charset is given up after many faults; the next is read as ever', () => {
  const body = Buffer.concat([Buffer.alloc(2 ** 18 + 100_000, 0x8f), latin1('\xe9')])
  const text = decodeBody(body, 'text/html; charset=euc-jp')
  expect(text.length).toBeGreaterThan(body.length - 10)
  expect(text.endsWith('é')).toBe(true)
  expect(decodeBody(Uint8Array.of(0xa4, 0xa2), 'text/html; charset=euc-jp')).toBe('あ')
})
