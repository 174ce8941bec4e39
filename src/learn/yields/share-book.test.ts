import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ShareBook } from './share-book.ts'

const linksAt = (
  book: ShareBook,
  time: number,
  pages: readonly number[],
  first: readonly number[],
) => book.expectations(time, Uint32Array.from(pages), Float64Array.from(first)).links

/** A site of three pages, watched from day 0 on. */
function watched() {
  const book = new ShareBook()
  for (const page of [0, 1, 2]) book.add(page, 0, 5)
  return book
}

test('a silent visit counts against a page only as far as others found something meanwhile', () => {
  const [quiet, busy] = [watched(), watched()]
  for (const time of [7, 14, 21, 28]) {
    quiet.record({ page: 1, time, novel: 0 })
    busy.record({ page: 1, time, novel: 3 })
  }
  const shareOf = (book: ShareBook) => {
    book.record({ page: 0, time: 28, novel: 0 })
    book.add(3, 28, 5)
    const [own, fresh] = linksAt(book, 35, [0, 3], [0.1, 0.1])
    return own / fresh
  }
  expect(shareOf(quiet)).toBeGreaterThan(0.9)
  expect(shareOf(busy)).toBeLessThan(0.55)
})

test('a page that shows every batch is believed to; one burst counts as one batch', () => {
  const book = watched()
  for (const time of [7, 14, 21, 28, 35])
    book.record({ page: 0, time, novel: time === 7 ? 300 : 1 })
  book.record({ page: 1, time: 35, novel: 0 })
  const [hub, other] = linksAt(book, 42, [0, 1], [0.1, 0.1])
  expect(hub).toBeGreaterThan(3 * other)
  expect(hub).toBeLessThan(10)
})

test('expected links grow with the days since the last visit, and a page that is gone shows none', () => {
  const book = watched()
  const [now, later] = [7, 14].map((time) => linksAt(book, time, [0], [0.2])[0])
  expect(later).toBeCloseTo(2 * now, 9)
  book.remove(0)
  expect(linksAt(book, 14, [0, 77], [0.2, 0.2])).toEqual(Float64Array.of(0, 0))
  expect(book.holds(0)).toBe(false)
  expect(() => book.record({ page: 0, time: 14, novel: 0 })).toThrow(/never fetched/)
})

test('what a page may show has waited since its own last visit, whoever was looked at meanwhile', () => {
  const book = watched()
  for (const time of [7, 14, 21, 28]) book.record({ page: 0, time, novel: 2 })
  const { days } = book.expectations(35, Uint32Array.of(0, 1), Float64Array.of(0.4, 0.1))
  expect([...days]).toEqual([7, 35])
})

test('however long a site was silent, its best page is worth a look in the end', () => {
  const book = watched()
  for (let week = 1; week <= 300; week++) book.record({ page: 0, time: 7 * week, novel: 0 })
  const [links] = linksAt(book, 7 * 300 + 365, [0], [0.5])
  expect(links).toBeGreaterThan(0.2)
})

test('however often a page showed nothing, what is expected of it does not fall below a bound', () => {
  const book = watched()
  const years = 8
  for (let week = 1; week <= 52 * years; week++) {
    book.record({ page: 0, time: 7 * week, novel: 2 })
    book.record({ page: 1, time: 7 * week, novel: 0 })
  }
  book.add(9, 7 * 52 * years, 5)
  const [silent, untried] = linksAt(book, 7 * 52 * (years + 1), [1, 9], [0.1, 0.1])
  // A batch a week and some for silence count against it, as many as half-lives leave: 280 days ÷ ln 2, by 1.1 a week.
  const most = (280 / Math.log(2)) * (1.1 / 7)
  expect(silent / untried).toBeGreaterThan((4 / (4 + most)) * 0.99)
})

interface Visit {
  readonly page: number
  readonly days: number
  readonly novel: number
}

/** The same by the definition: all visits are gone through again for every question. */
function naiveLinks(visits: readonly Visit[], page: number, first: number, until: number): number {
  const fade = (days: number) => 0.5 ** (days / 280)
  const times: number[] = []
  let clock = 0
  for (const { days } of visits) {
    clock += days
    times.push(clock)
  }
  let [seen, links, watchedDays] = [0, 0, 0]
  const all = { batches: 0.5, links: 1, days: 14 }
  const sizeNow = () => ((4 * all.links) / all.batches + links) / (4 + seen)
  for (const [i, { novel, days }] of visits.entries()) {
    const kept = fade(times[i] - (times[i - 1] ?? 0))
    const counted = Math.min(novel, 10 * sizeNow())
    const batch = novel > 0 ? 1 : 0
    seen = seen * kept + batch
    links = links * kept + counted
    watchedDays = watchedDays * kept + days
    all.batches += batch
    all.links += counted
    all.days += days
  }
  let [found, batches, last, lastPlace] = [0, 0, 0, -1]
  for (const [i, visit] of visits.entries()) {
    if (visit.page !== page) continue
    const between = visits.slice(lastPlace + 1, i + 1).filter(({ novel }) => novel > 0).length
    const days = times[i] - last
    found = found * fade(days) + (visit.novel > 0 ? 1 : 0)
    batches = batches * fade(days) + between + (0.1 / 7) * days
    last = times[i]
    lastPlace = i
  }
  const share = (4 * Math.min(1, 2 * first) + found) / (4 + batches)
  const perDay = (0.5 + seen) / (0.5 / Math.max(all.batches / all.days, 1 / 280) + watchedDays)
  return share * perDay * sizeNow() * (until - last)
}

test('of a site that is little known what other sites show is expected', () => {
  const [lively, quiet] = [12, 0].map((novel) => {
    const book = watched()
    for (let week = 1; week < 30; week++) book.record({ page: 0, time: 7 * week, novel })
    book.add(9, 200, 8)
    return linksAt(book, 207, [9], [0.5])[0]
  })
  expect(lively).toBeGreaterThan(20 * quiet)
  expect(quiet).toBeGreaterThan(0)
})

test('it expects what one does who goes through all visits again', () => {
  const visit = fc.record({
    page: fc.nat(2),
    days: fc.integer({ min: 0, max: 30 }),
    novel: fc.oneof(fc.constant(0), fc.nat(200)),
  })
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 25 }), (visits) => {
      const book = watched()
      let time = 0
      for (const { page, days, novel } of visits) {
        time += days
        book.record({ page, time, novel })
      }
      const links = linksAt(book, time + 7, [0, 1, 2], [0.1, 0.3, 0.01])
      for (const [page, first] of [0.1, 0.3, 0.01].entries()) {
        const naive = naiveLinks(visits, page, first, time + 7)
        expect(links[page]).toBeCloseTo(naive, 3)
      }
    }),
  )
})
