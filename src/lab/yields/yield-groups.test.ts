import { expect, test } from 'vitest'
import { LISTING_GROUPS, MENU_GROUPS, type PageKind, yieldGroups } from './yield-groups.ts'

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

test('sitemaps and feeds are compared by the size of their site, and share nothing else with each other, nor anything with pages', () => {
  const forms = (['page', 'sitemap', 'feed'] as const).map((form) => yieldGroups({ ...page, form }))
  const isListing = (group: number) => LISTING_GROUPS.includes(group)
  expect(forms.map(([group]) => isListing(group))).toEqual([false, true, true])
  const others = forms.flatMap((groups) => [...groups].filter((group) => !isListing(group)))
  expect(new Set(others).size).toBe(others.length)
  expect(others.some((group) => MENU_GROUPS.includes(group))).toBe(false)
})

test('pages near the start, and pages linked from every second page of their site, are in menus', () => {
  const isCentral = (change: Partial<PageKind>) =>
    MENU_GROUPS.includes(yieldGroups({ ...page, ...change })[0])
  expect(isCentral({ depth: 1 })).toBe(true)
  expect(isCentral({ links: 51 })).toBe(true)
  expect(isCentral({})).toBe(false)
})

test('what other pages of a site lead to does not lower what its menus promise', () => {
  const menu = yieldGroups({ ...page, links: 51 })
  const shared = [...yieldGroups(page)].filter((group) => menu.includes(group))
  expect(shared).toEqual([yieldGroups(page)[5]]) // the pattern
})

test('menus are compared by the size of their site: small sites publish little', () => {
  const ofSite = (sitePages: number) => yieldGroups({ ...page, depth: 1, sitePages })[0]
  expect(MENU_GROUPS.indexOf(ofSite(1000))).toBe(MENU_GROUPS.indexOf(ofSite(250)) + 2)
  expect(ofSite(2 ** 40)).toBe(MENU_GROUPS.at(-1))
})
