import { expect, test } from 'vitest'
import { leastLooks } from './least-looks.ts'

/** A site of `pages` copies and a list of `copies` of them, after `seen` of these were looked at; and a page of another site. */
function leastOfList({ pages = 100, copies = 100, seen = 0, changed = 1 }): number[] {
  const ages = Float64Array.from({ length: pages + 2 }, (_, i) => (i < seen ? 1 : 90))
  const list = pages
  ages[list] = 7
  ages[pages + 1] = 1
  const facts = {
    pages: Uint32Array.from(ages.keys()),
    ages,
    domains: Uint32Array.from(ages, (_, i) => (i === pages + 1 ? 1 : 0)),
    inLinks: undefined,
    claims: { oddsFactors: new Float64Array(ages.length), lists: [{ place: list, copies }] },
  }
  const least = leastLooks(facts, () => changed)
  expect(least.filter((_, i) => i !== list).every((one) => one === 0)).toBe(true)
  return [least[list]]
}

test('a list is read again when enough of what it lists was looked at without it', () => {
  expect(leastOfList({ seen: 0 })).toEqual([0])
  expect(leastOfList({ seen: 6 })[0]).toBeLessThan(0.1)
  expect(leastOfList({ seen: 15 })[0]).toBeGreaterThan(1)
})

test('a list of few pages of its site, or one that has hardly changed, waits longer', () => {
  expect(leastOfList({ seen: 15, copies: 30 })[0]).toBeLessThan(0.1)
  expect(leastOfList({ seen: 15, changed: 0.3 })[0]).toBeLessThan(0.1)
  expect(leastOfList({ seen: 60, changed: 0.3 })[0]).toBeGreaterThan(1)
})

test('where nobody lists anything nothing is asked for', () => {
  const facts = {
    pages: Uint32Array.of(1),
    ages: Float64Array.of(5),
    domains: Uint32Array.of(0, 0),
  }
  const unknown = { claims: undefined, inLinks: undefined }
  expect([...leastLooks({ ...facts, ...unknown }, () => 1)]).toEqual([0])
})

const DAY = 86_400
const unlisted = {
  claims: undefined,
  pages: Uint32Array.of(2, 3, 4, 5),
  ages: Float64Array.of(10 * DAY, 360 * DAY, 360 * DAY, 360 * DAY),
  domains: Uint32Array.of(0, 0, 7, 7, 7, 1),
}

test('what all pages of a site link to is looked at before a year is over, other pages need not be', () => {
  const prices = leastLooks({ ...unlisted, inLinks: Uint32Array.of(3, 3, 1, 1) }, () => 1)
  expect(prices[0]).toBeLessThan(1e-6)
  expect(prices[1]).toBeGreaterThan(4)
  expect(prices[2]).toBe(0)
  expect(prices[3]).toBe(prices[1]) // the one page of another site
})

test('where nobody counted links nothing is asked for', () => {
  const least = leastLooks({ ...unlisted, inLinks: undefined }, () => 1)
  expect([...least]).toEqual([0, 0, 0, 0])
})
