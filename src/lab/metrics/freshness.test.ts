import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { freshnessOf, staleSince, timeAverage } from './freshness.ts'

const DAY = 86_400
const NEVER = Number.POSITIVE_INFINITY

test('half of the copies current and one two days behind: age is a day', () => {
  const since = Float64Array.of(NEVER, 3 * DAY)
  expect(freshnessOf(since, 5 * DAY)).toEqual({ freshness: 0.5, ageDays: 1 })
})

test('a copy that nobody reads does not count; without copies there is nothing to tell', () => {
  const since = Float64Array.of(NEVER, 0)
  expect(freshnessOf(since, DAY, Float64Array.of(2, 0))).toEqual({ freshness: 1, ageDays: 0 })
  expect(freshnessOf(since, DAY, Float64Array.of(1, 3))).toEqual({ freshness: 0.25, ageDays: 0.75 })
  expect(freshnessOf(new Float64Array(), DAY).freshness).toBeUndefined()
})

test('a naive twin agrees: a copy counts as often as it weighs', () => {
  const copy = fc.record({
    since: fc.option(fc.nat(10), { nil: NEVER }),
    weight: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(fc.array(copy, { minLength: 1 }), fc.nat(12), (copies, now) => {
      const repeated = copies.flatMap(({ since, weight }) => new Array<number>(weight).fill(since))
      const ages = repeated.map((since) => Math.max(0, now - since))
      const { freshness, ageDays } = freshnessOf(
        Float64Array.from(copies, ({ since }) => since * DAY),
        now * DAY,
        Float64Array.from(copies, ({ weight }) => weight),
      )
      const fresh = repeated.filter((since) => since > now).length
      expect(freshness).toBeCloseTo(fresh / repeated.length, 12)
      expect(ageDays).toBeCloseTo(ages.reduce((a, b) => a + b) / repeated.length, 9)
    }),
  )
})

/** A page with one letter of text a week; a space is a week without the page. */
const pageOver = (weeks: string) =>
  archiveOf(
    smallArchive(weeks.length, {
      'http://a.example/': [...weeks].flatMap((text, week) =>
        text === ' ' ? [] : [{ live: [week, week] as const, text: [text] }],
      ),
    }),
  )

test('a copy is stale since the page first differed, also if it was right again meanwhile', () => {
  const archive = pageOver('abab ')
  const copy = { page: 0, version: 0, snapshot: 0 }
  expect(staleSince(archive, copy, 0)).toBe(NEVER)
  expect(staleSince(archive, copy, 1)).toBe(archive.timeOf(1))
  expect(staleSince(archive, copy, 2)).toBe(NEVER)
  expect(staleSince(archive, copy, 3)).toBe(archive.timeOf(1))
  expect(staleSince(archive, { page: 0, version: 3, snapshot: 3 }, 4)).toBe(archive.timeOf(4))
  expect(staleSince(archive, copy, 3, () => true)).toBe(NEVER)
})

test('a naive twin agrees on histories of any kind', () => {
  const week = fc.constantFrom('a', 'b', ' ')
  const history = fc.array(week, { maxLength: 7 }).map((weeks) => `a${weeks.join('')}`)
  fc.assert(
    fc.property(history, fc.nat(7), fc.nat(7), (weeks, fetchedAt, later) => {
      const fetched = fetchedAt % weeks.length
      const now = Math.min(weeks.length - 1, fetched + later)
      fc.pre(weeks[fetched] !== ' ')
      const archive = pageOver(weeks)
      const version = archive.versionAt(0, fetched)!
      const since = staleSince(archive, { page: 0, version, snapshot: fetched }, now)
      const first = [...weeks].findIndex((text, i) => i > fetched && text !== weeks[fetched])
      const isStale = weeks[now] !== weeks[fetched]
      expect(since).toBe(isStale ? archive.timeOf(first) : NEVER)
    }),
  )
})

test('a value counts as long as it holds', () => {
  expect(timeAverage([0, 1, 4], [1, 0.2])).toBeCloseTo((1 + 3 * 0.2) / 4, 12)
  expect(timeAverage([5], [])).toBeUndefined()
  expect(() => timeAverage([0, 1], [1, 1])).toThrow('2 values need 3 times')
})

test('a naive twin agrees: the average over every single day', () => {
  const span = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(100))
  fc.assert(
    fc.property(fc.array(span, { minLength: 1, maxLength: 8 }), (spans) => {
      const times = [3]
      for (const [days] of spans) times.push(times.at(-1)! + days)
      const daily = spans.flatMap(([days, value]) => new Array<number>(days).fill(value))
      const average = daily.reduce((a, b) => a + b) / daily.length
      const values = spans.map(([, value]) => value)
      expect(timeAverage(times, values)).toBeCloseTo(average, 9)
    }),
  )
})
