import { describe, expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { planRevisits } from '../covers/revisit-plan.ts'
import { YieldBook } from './yield-book.ts'
import { LISTING_GROUPS, MENU_GROUPS } from './yield-groups.ts'

const NOBODY = new Map<number, number>()
const COHORT = Uint32Array.of(1)
const WEEK = 7

/** A book of pages all fetched on day 0. */
function bookOf(pages: number, groupsOf = (_: number) => COHORT): YieldBook {
  const book = new YieldBook()
  for (let page = 0; page < pages; page++) book.add(page, 0, groupsOf(page))
  return book
}

/** The pages to revisit at a time. */
const planOf = (book: YieldBook, time: number, most: number) =>
  planRevisits(book.expectations(time, book.pages()), most)

test('a page that leads to new ones comes first, the longer ago the more', () => {
  const book = bookOf(3)
  book.record({ page: 2, time: WEEK, novel: 5, foundBefore: NOBODY })
  book.record({ page: 1, time: WEEK, novel: 0, foundBefore: NOBODY })
  const soon = planOf(book, 2 * WEEK, 3)
  expect(soon.pages[0]).toBe(2)
  expect(planOf(book, 3 * WEEK, 1).expected[0]).toBeCloseTo(2 * soon.expected[0])
})

test('a page never revisited is judged by first revisits of its cohorts', () => {
  const [good, bad] = [Uint32Array.of(1, 2), Uint32Array.of(1, 3)]
  const book = bookOf(6, (page) => (page % 2 === 0 ? good : bad))
  for (const page of [0, 1, 2, 3])
    book.record({ page, time: WEEK, novel: page % 2 === 0 ? 3 : 0, foundBefore: NOBODY })
  const { pages, expected } = planOf(book, 2 * WEEK, 6)
  const worth = (page: number) => expected[pages.indexOf(page)]
  expect(worth(4)).toBeGreaterThan(10 * worth(5))
  expect(worth(5)).toBeGreaterThan(0)
})

test('later revisits of a hub promise nothing of other pages', () => {
  const promise = (revisits: number) => {
    const book = bookOf(2)
    for (let week = 1; week <= revisits; week++)
      book.record({ page: 0, time: week * WEEK, novel: week === 1 ? 1 : 50, foundBefore: NOBODY })
    const { pages, expected } = planOf(book, 100 * WEEK, 2)
    return expected[pages.indexOf(1)]
  }
  expect(promise(9)).toBe(promise(1))
})

test('what hundreds of pages show, as menus do, is not expected of each as soon as one rival has rested', () => {
  const book = bookOf(10)
  const sharedOf = (page: number, week: number) =>
    book.expectations(week * WEEK, Uint32Array.of(page)).shared[0]
  // Every week another page shows the four new items of the menu first; one more is looked at, and comes too late.
  const look = (week: number) => {
    const [first, late] = [week % 5, 5 + (week % 5)]
    book.record({ page: first, time: week * WEEK, novel: 4, foundBefore: NOBODY })
    const others = new Map([0, 1, 2, 3, 4].map((finder) => [finder, 4]))
    book.record({ page: late, time: week * WEEK + 1, novel: 0, foundBefore: others })
  }
  for (let week = 1; week <= 5; week++) look(week)
  const before = sharedOf(7, 7)
  expect(before).toBeGreaterThan(0)
  for (let week = 6; week <= 15; week++) look(week)
  expect(sharedOf(7, 16)).toBeLessThan(0.2 * before)
})

test('a page that shows what another shows is worth little just after it, and much without it', () => {
  const book = bookOf(2)
  for (let week = 1; week <= 8; week++) {
    book.record({ page: 0, time: week * WEEK, novel: 4, foundBefore: NOBODY })
    book.record({ page: 1, time: week * WEEK, novel: 0, foundBefore: new Map([[0, 4]]) })
  }
  const both = planOf(book, 9 * WEEK, 2)
  expect([...both.pages]).toEqual([0, 1])
  expect(both.expected[1]).toBeLessThan(0.1 * both.expected[0])
  book.remove(0)
  // Page 0 was visited a week ago, and so page 1 has a week of news.
  const alone = planOf(book, 9 * WEEK, 2)
  expect([...alone.pages]).toEqual([1])
  expect(alone.expected[0]).toBeGreaterThan(0.5 * both.expected[0])
})

test('a hub that stops delivering fades', () => {
  const book = bookOf(1)
  book.record({ page: 0, time: WEEK, novel: 20, foundBefore: NOBODY })
  let last = planOf(book, 2 * WEEK, 1).expected[0]
  for (let week = 2; week < 30; week++) {
    book.record({ page: 0, time: week * WEEK, novel: 0, foundBefore: NOBODY })
    const [next] = planOf(book, (week + 1) * WEEK, 1).expected
    expect(next).toBeLessThan(last)
    last = next
  }
  expect(last).toBeLessThan(1)
})

test('what is gone is planned no more, and every page is planned at most once', () => {
  const book = bookOf(4)
  book.remove(2)
  expect([...planOf(book, WEEK, 10).pages].sort()).toEqual([0, 1, 3])
  expect(() => book.record({ page: 2, time: WEEK, novel: 0, foundBefore: NOBODY })).toThrow()
})

describe('with sampled rates', () => {
  const drawn = (seed: number) => {
    const book = new YieldBook({ random: seededRandom(seed) })
    for (let page = 0; page < 50; page++) book.add(page, 0, COHORT)
    for (let page = 0; page < 50; page++)
      book.record({ page, time: WEEK, novel: page % 5, foundBefore: NOBODY })
    return [...planOf(book, 2 * WEEK, 50).pages]
  }
  test('the same seed gives the same plan, another another, and no page is left out', () => {
    expect(drawn(1)).toEqual(drawn(1))
    expect(drawn(2)).not.toEqual(drawn(1))
    expect(new Set(drawn(1)).size).toBe(50)
  })
})

test('pages in menus are told from sitemaps, which promise as much, and from others', () => {
  const groups = [Uint32Array.of(MENU_GROUPS[5], 1), Uint32Array.of(LISTING_GROUPS[5], 2), COHORT]
  const book = bookOf(3, (page) => groups[page])
  const { own, isUntried, isInMenus } = book.expectations(WEEK, Uint32Array.of(0, 1, 2))
  expect([...isUntried]).toEqual([1, 1, 1])
  expect([...isInMenus]).toEqual([1, 0, 0])
  expect(own[1]).toBe(own[0])
  expect(own[2]).toBeLessThan(0.1 * own[0])
})
