import fc from 'fast-check'
import { expect, test } from 'vitest'
import { trapSign } from './trap-signs.ts'

const at = (path: string) => `https://a.example/${path}`

test.each([
  '',
  'about-us/team.html',
  'wiki/%E6%9D%B1%E4%BA%AC%E9%83%BD%E5%8C%BA%E9%83%A8',
  `wiki/${'%E6%9D%B1'.repeat(80)}`,
  'owner/repo/blob/main/src/main/java/org/example/boot/autoconfigure/web/servlet/Error.java',
  'en/docs/en/index.html',
  'a/b/a/b/c',
  'forum/forum/topic',
  '2011/11/11/remembrance-day',
  '1/1/1',
  '0/0/0/0/tile.html',
  '1851/09/18/archives/our-first-issue.html',
  '2567/03/12/news-in-thai',
  '2099-12-31',
  'products/3000/12',
  'calendar/2026/11',
  'part/1492-1504',
  'list?brand=x&color=red&page=2&price=10-20&size=xl&sort=price&stock=1&view=grid',
  'search?f[]=a&f[]=b&f[]=c&q=boots',
  'events?date=2026-11-15',
  'report?year=1950',
  'session/overview',
  'web/2020/http://b.example/x',
  'x?date=tomorrow&year=',
])('%j looks like a page', (path) => {
  expect(trapSign(at(path))).toBeUndefined()
})

test.each([
  [`x/${'word-'.repeat(150)}`, 'a very long path'],
  ['a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u', 'a path of 21 segments'],
  ['img/img/img/', '"img" stands three times in a row'],
  ['de/shop/de/shop/de/shop', '"de/shop" stands three times in a row'],
  ['x/css/y/css/z/css/w/css', 'the segment "css" stands 4 times'],
  ['1/1/1/1/1/1', '"1" stands three times in a row'],
  ['(S(lit3py55t21z5v55vlm25s55))/start.aspx', 'a session id in the path'],
  ['sid-0123456789abcdef0123/start', 'a session id in the path'],
  ['calendar/3024/07', 'the year 3024'],
  ['3024/07/12', 'the year 3024'],
  ['plan/0999-07-12', 'the year 0999'],
  ['list?year=2150&z=1', 'the year 2150'],
  ['list?event_date=1822-01-01', 'the year 1822'],
  [`list?${Array.from({ length: 17 }, (_, i) => `p${i}=1`).join('&')}`, '17 parameters'],
  [`list?${'f[]=x&'.repeat(9)}z=1`, 'the parameter "f[]" stands 9 times'],
  ['list?amp;amp;a=1&b=2', 'ampersands escaped again and again'],
])('%j looks like a trap: %s', (path, sign) => {
  expect(trapSign(at(path))).toBe(sign)
})

test('any text is judged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.webUrl({ withQueryParameters: true }), (a, b) => {
      trapSign(a)
      trapSign(b)
    }),
  )
  expect(trapSign(at('a/'.repeat(1e6)))).toBeDefined()
})
