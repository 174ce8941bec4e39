import { expect, test } from 'vitest'
import { urlClass } from './url-class.ts'

test.each([
  ['https://a.org/packages/left-pad.html', 'https://a.org/packages/is-odd.html'],
  ['https://a.org/2024/05/one/', 'https://a.org/2023/11/another/'],
  ['https://a.org/wiki/Moon', 'https://a.org/wiki/Sun'],
  ['https://a.org/s/list?page=2&q=x', 'https://a.org/s/list?page=7&q=y'],
])('%s and %s are of one class', (one, other) => {
  expect(urlClass(one)).toBe(urlClass(other))
})

test.each([
  ['https://a.org/packages/x.html', 'https://a.org/keywords/x.html'],
  ['https://a.org/wiki/Moon', 'https://a.org/wiki/Moon.png'],
  ['https://a.org/wiki/Moon', 'https://a.org/wiki/Moon/'],
  ['https://a.org/s/list', 'https://a.org/s/list?page=2'],
  ['https://a.org/', 'https://b.org/'],
  ['https://a.org/', 'https://a.org/about'],
  ['https://163.org/about', 'https://360.org/about'],
  ['http://127.0.0.1:8001/a/b', 'http://127.0.0.1:8002/a/b'],
])('%s and %s are not', (one, other) => {
  expect(urlClass(one)).not.toBe(urlClass(other))
})
