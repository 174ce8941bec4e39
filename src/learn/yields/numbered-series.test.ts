import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberedSeries } from './numbered-series.ts'

const lastOf = (urls: readonly string[]) => {
  const series = new NumberedSeries()
  for (const [page, url] of urls.entries()) series.add(page, url)
  return urls.filter((_, page) => series.isLast(page))
}

test('the page with the highest number of its series is the last; two pages are no series', () => {
  const blog = ['http://a.example/blog/page/2/', 'http://a.example/blog/page/10/']
  expect(lastOf(blog)).toEqual([])
  expect(lastOf([...blog, 'http://a.example/blog/page/9/', 'http://a.example/about'])).toEqual([
    'http://a.example/blog/page/10/',
  ])
})

test('a page that is gone makes its series smaller', () => {
  const series = new NumberedSeries()
  for (const page of [1, 2, 3]) series.add(page, `http://a.example/${page}`)
  expect(series.isLast(3)).toBe(true)
  series.remove(1)
  expect(series.isLast(3)).toBe(false)
  expect(series.isLast(99)).toBe(false)
})

test('it says what one would who compares all addresses with each other', () => {
  const url = fc
    .tuple(fc.constantFrom('a', 'b', 'a7x'), fc.nat(12), fc.constantFrom('', '/', '.html'))
    .map(([head, number, tail]) => `http://a.example/${head}${number}${tail}`)
  fc.assert(
    fc.property(fc.uniqueArray(url, { maxLength: 30 }), (urls) => {
      const naive = urls.filter((own) => {
        const shape = (one: string) => one.replace(/\d+(?=\D*$)/, '#')
        const numberOf = (one: string) => Number(/(\d+)\D*$/.exec(one)![1])
        const all = urls.filter((one) => shape(one) === shape(own))
        return all.length >= 3 && all.every((one) => numberOf(one) <= numberOf(own))
      })
      expect(lastOf(urls)).toEqual(naive)
    }),
  )
})
