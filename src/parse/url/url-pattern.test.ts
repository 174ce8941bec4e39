import fc from 'fast-check'
import { expect, test } from 'vitest'
import { urlPattern } from './url-pattern.ts'

test.each([
  ['https://shop.example/', 'shop.example/'],
  ['https://shop.example/about-us', 'shop.example/about-us'],
  ['http://shop.example:8080/item/12345', 'shop.example:8080/item/#'],
  ['https://shop.example/item12.html', 'shop.example/item#.html'],
  ['https://n.example/2024/05/17/some-words', 'n.example/#/#/#/some-words'],
  ['https://n.example/2024/May/17/', 'n.example/#/#/#/'],
  ['https://n.example/2024-05-17', 'n.example/#-#-#'],
  ['https://n.example/news/why-the-river-is-rising', 'n.example/news/~'],
  ['https://n.example/why-the-river-is-rising-123.html', 'n.example/~.html'],
  ['https://n.example/wiki/Red_fox', 'n.example/wiki/Red_fox'],
  ['https://a.example/o/550e8400-e29b-41d4-a716-446655440000', 'a.example/o/*'],
  ['https://a.example/commit/3b35ec7f00ba', 'a.example/commit/*'],
  ['https://a.example/watch/dQw4w9WgXcQ', 'a.example/watch/*'],
  ['https://a.example/t/abc123def456ghi789jkl', 'a.example/t/*'],
  ['https://a.example/facade', 'a.example/facade'],
  ['https://a.example/deadbeefdecade', 'a.example/deadbeefdecade'],
  ['https://j.example/%E6%9D%B1%E4%BA%AC', 'j.example/~'],
  ['https://a.example/list?a=1&page=7', 'a.example/list?a&page'],
  ['https://a.example/list?f[1]=x&f[2]=y', 'a.example/list?f[#]'],
  ['https://a.example/?SomePage', 'a.example/?SomePage'],
  ['https://a.example/?1234', 'a.example/?#'],
  ['https://a.example/x;v=2.1/y', 'a.example/x;v/y'],
  ['no url', 'no url'],
])('the pattern of %s is %s', (url, pattern) => {
  expect(urlPattern(url)).toBe(pattern)
})

test('numbers, however large, do not tell two patterns apart', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.string(), (a, b, value) => {
      const shape = (n: number) => urlPattern(`https://a.example/x${n % 1e6}/${n}?p=${n}`)
      expect(shape(a)).toBe(shape(b))
      expect(urlPattern(`https://a.example/?p=${encodeURIComponent(value)}`)).toBe('a.example/?p')
    }),
  )
})

test('any text has a pattern', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => typeof urlPattern(text) === 'string'),
  )
})

test.each(['a-', 'a1', '%E6', '-', 'aB1', ';a=', '&a', 'f0', '/1'])(
  'a long run of %j takes time that does not explode',
  (piece) => {
    expect(urlPattern(`https://a.example/${piece.repeat(20_000)}`)).toMatch(/^a\.example\//)
  },
)
