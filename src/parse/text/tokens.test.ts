import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenize, urlTokens } from './tokens.ts'

test.each([
  ['Hello, World!', ['hello', 'world']],
  ['Node.js 24 & HTML5', ['node', 'js', '24', 'html5']],
  ['don’t stop', ['don', 't', 'stop']],
  ['Crème BRÛLÉE', ['creme', 'brulee']],
  ['cre\u0300me', ['creme']],
  ['ﬁne ①②', ['fine', '12']],
  ['Straße Øre', ['straße', 'øre']],
  ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
  ['Привет, мир', ['привет', 'мир']],
  ['한국어 검색', ['한국어', '검색']],
  ['हिन्दी', ['हिन्दी']],
  ['北京 crawler ガ', ['北', '京', 'crawler', 'ガ']],
  ['abc北京def', ['abc', '北', '京', 'def']],
  ['ภาษาไทยมีเสียง น้ำประปา', ['ภาษา', 'ไทย', 'มี', 'เสียง', 'น้ำ', 'ประปา']],
  ['น้ํา crawlerไทย24', ['น้ำ', 'crawler', 'ไทย', '24']],
  ['ພາສາລາວ', ['ພາສາ', 'ລາວ']],
  ['ប្រទេសកម្ពុជា', ['ប្រទេស', 'កម្ពុជា']],
  ['ဘာသာစကားဖြစ်သည်', ['ဘာသာစကား', 'ဖြစ်သည်']],
  ['— … “”', []],
  ['', []],
])('the words of %j are %j', (text, expected) => {
  expect(tokenize(text)).toEqual(expected)
})

/** The definition, without the short cut for ASCII. */
function tokenizeNaively(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
  const words = folded
    .replaceAll('ς', 'σ')
    .normalize('NFC')
    .replaceAll('ํา', 'ำ')
    .replaceAll('ໍາ', 'ຳ')
  const runs = words.match(
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]|[[\p{L}\p{N}\p{M}]&&[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+|[[\p{L}\p{N}\p{M}]--[ー\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+/gv,
  )
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  return (runs ?? []).flatMap((run) =>
    /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/v.test(run)
      ? Array.from(segmenter.segment(run), ({ segment }) => segment)
      : [run],
  )
}

const mixed = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aZ09 -_.\'"éÉßΣς北ガ\u0301ÅﬁIiİ\u00a0\u2019한'),
    fc.constantFrom(...'ภาษไทย\u0e49\u0e4dລວ'),
    fc.constantFrom('\u0e33', '\u3099', '😀', '\ud800', 'ǅ'),
  ),
})

test('the ASCII short cut changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(mixed, fc.string({ unit: 'grapheme' })), (text) => {
      expect(tokenize(text)).toEqual(tokenizeNaively(text))
    }),
    { numRuns: 2000 },
  )
})

test('words joined again give the same words', () => {
  fc.assert(
    fc.property(fc.oneof(mixed, fc.string({ unit: 'binary' })), (text) => {
      const tokens = tokenize(text)
      expect(tokenize(tokens.join(' '))).toEqual(tokens)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['https://www.shop.co.uk/redShoes2.html', ['shop', 'red', 'shoes', '2']],
  ['http://example.org/', ['example']],
  [
    'https://docs.example.com:8080/HTMLParser/v12',
    ['docs', 'example', 'html', 'parser', 'v', '12'],
  ],
  ['https://example.org/a_b-c.d/e.tar.gz', ['example', 'a', 'b', 'c', 'd', 'e', 'tar']],
  ['https://example.org/release/1.2', ['example', 'release', '1', '2']],
  ['https://example.org/caf%C3%A9/%FF%20x', ['example', 'cafe', 'x']],
  [
    'https://example.org/find?q=Web+Crawler&page=2',
    ['example', 'find', 'q', 'web', 'crawler', 'page', '2'],
  ],
  ['https://ann.github.io/notes', ['ann', 'github', 'notes']],
  ['https://www2.example.org/x', ['example', 'x']],
  ['http://localhost/x', ['localhost', 'x']],
  ['http://127.0.0.1/x', ['x']],
  ['not a url', ['not', 'a', 'url']],
])('the words of %s are %j', (url, expected) => {
  expect(urlTokens(url)).toEqual(expected)
})

test('any string has URL words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const token of urlTokens(text)) expect(token).not.toBe('')
    }),
  )
})
