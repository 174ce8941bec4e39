import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PagesBelow } from './pages-below.ts'

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
