import { expect, test } from 'vitest'
import { type PageKind, yieldGroups } from './yield-groups.ts'

const page: PageKind = {
  form: 'page',
  site: 1,
  depth: 2,
  links: 9,
  steps: 5,
  pattern: 77,
  sitePages: 100,
}

test('pages that differ in nothing are of the same groups', () => {
  expect(yieldGroups({ ...page })).toEqual(yieldGroups(page))
  expect(yieldGroups({ ...page, links: 10 })).toEqual(yieldGroups(page)) // about as many
})

test.each([
  [{ depth: 3 }, [0, 2]],
  [{ links: 40 }, [0, 4]],
  [{ steps: 6 }, [3]],
  [{ pattern: 78 }, [5]],
  [{ site: 2, pattern: 78 }, [1, 2, 3, 4, 5]],
])('with %o a page differs in the groups that this is about', (change, expected) => {
  const groups = yieldGroups(page)
  const others = yieldGroups({ ...page, ...change })
  expect([...groups.keys()].filter((i) => groups[i] !== others[i])).toEqual(expected)
})

test('sitemaps and feeds share no group with pages, nor with each other', () => {
  const forms = (['page', 'sitemap', 'feed'] as const).map((form) => yieldGroups({ ...page, form }))
  const all = forms.flatMap((groups) => [...groups])
  expect(new Set(all).size).toBe(all.length)
})
