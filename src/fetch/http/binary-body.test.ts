import { describe, expect, test } from 'vitest'
import { binaryKind } from './binary-body.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('a body sent as a page', () => {
  test.each([
    ['%PDF-1.7\n%âãÏÓ', 'PDF'],
    ['\x89PNG\r\n\x1a\n', 'PNG'],
    ['\xff\xd8\xff\xe0', 'JPEG'],
    ['PK\x03\x04', 'ZIP'],
    ['\x1f\x8b\x08\x00', 'gzip'],
  ])('that begins as %j is none', (start, kind) => {
    expect(binaryKind(bytes(`${start}and so on`), 'text/html')).toBe(kind)
  })

  test('is one if it begins like anything else, stray bytes or not', () => {
    expect(binaryKind(bytes('<p>a\x00b'), 'text/html')).toBeUndefined()
    expect(binaryKind(bytes(''), 'text/html')).toBeUndefined()
    expect(binaryKind(bytes('PDF files and GIF pictures'), 'text/html')).toBeUndefined()
  })

  test('and called plain text has no control characters, but for UTF-16', () => {
    expect(binaryKind(bytes('a\tb\r\n\x0cc\x1b[0m'), 'text/plain')).toBeUndefined()
    expect(binaryKind(bytes('\x7fELF\x02\x01\x01\x00'), 'text/plain')).toBe('no text')
    expect(binaryKind(bytes('\xff\xfea\x00b\x00'), 'text/plain')).toBeUndefined()
  })
})
