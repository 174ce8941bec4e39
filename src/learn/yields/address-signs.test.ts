import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NumberedSeries, PagesBelow } from './address-signs.ts'

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

const counted = (urls: readonly string[]) => {
  const below = new PagesBelow()
  for (const [page, url] of urls.entries()) below.add(page, url)
  return urls.map((_, page) => below.of(page))
}

test('a page has those below it whose address begins with its own, step by step', () => {
  const urls = ['', 'blog/', 'blog/a', 'blog/b/c.html', 'blogs', 'blog.html?page=2']
  expect(counted(urls.map((path) => `http://a.example/${path}`))).toEqual([5, 3, 0, 0, 0, 3])
})

test('pages of other hosts do not count, and those that are gone no more', () => {
  const below = new PagesBelow()
  below.add(0, 'http://a.example/')
  below.add(1, 'http://b.example/x')
  expect(below.of(0)).toBe(0)
  below.add(2, 'http://a.example/x/y')
  below.add(2, 'http://a.example/x/y')
  expect(below.of(0)).toBe(1)
  below.remove(2, 'http://a.example/x/y')
  expect([below.of(0), below.of(99)]).toEqual([0, 0])
})

test('it counts what one does who compares all addresses with each other', () => {
  const step = fc.constantFrom('a', 'b', 'ab')
  const url = fc.array(step, { maxLength: 4 }).map((steps) => `http://a.example/${steps.join('/')}`)
  fc.assert(
    fc.property(fc.uniqueArray(url, { maxLength: 20 }), (urls) => {
      const bare = urls.map((one) => one.replace(/\/$/, ''))
      const naive = bare.map((own) => bare.filter((one) => one.startsWith(`${own}/`)).length)
      expect(counted(urls)).toEqual(naive)
    }),
  )
})
