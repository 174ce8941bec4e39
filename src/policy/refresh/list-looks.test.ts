import { expect, test } from 'vitest'
import { listLooks } from './list-looks.ts'

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
    claims: { oddsFactors: new Float64Array(ages.length), lists: [{ place: list, copies }] },
  }
  const least = listLooks(facts, () => changed)
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
  expect([...listLooks({ ...facts, claims: undefined }, () => 1)]).toEqual([0])
})
