import { expect, test } from 'vitest'
import { Patterns } from './patterns.ts'
import { UrlTable } from './url-table.ts'

/** A calendar of many months, then an article. */
function calendarAndArticle(months: number): Patterns {
  const urls = Array.from({ length: months }, (_, month) => `https://a.org/calendar/2030/${month}`)
  return patternsOf([...urls, 'https://a.org/article/telling-words'])
}

function patternsOf(urls: readonly string[]): Patterns {
  const table = new UrlTable()
  const patterns = new Patterns(table)
  for (const url of urls) {
    table.add(url)
    patterns.add(url)
  }
  return patterns
}

test('addresses of one shape that never bring anything new are throttled, others are not', () => {
  const patterns = calendarAndArticle(30)
  for (let month = 0; month < 19; month++) patterns.record(month, false)
  expect(patterns.barrenCount).toBe(0)
  expect(patterns.quota()).toBeUndefined()
  patterns.record(19, false)
  expect(patterns.barrenCount).toBe(1)
  for (let fetch = 0; fetch < 20; fetch++) patterns.countFetch()
  const { groups, most } = patterns.quota()!
  expect(most[groups[25]]).toBe(1)
  expect(most[groups[30]]).toBe(Number.POSITIVE_INFINITY)
})

test('plans may be short: a barren shape gets one of twenty fetches, unless nothing else is left', () => {
  const patterns = calendarAndArticle(30)
  for (let month = 0; month < 20; month++) patterns.record(month, false)
  const mostOf = (mayRest: boolean) => {
    const { groups, most } = patterns.quota(mayRest)!
    return most[groups[25]]
  }
  const seen: number[] = []
  for (let fetch = 0; fetch < 45; fetch++) {
    if (mostOf(true) > 0) {
      patterns.record(25, false)
      seen.push(fetch)
    }
    patterns.countFetch()
  }
  expect(seen).toEqual([20, 40])
  expect([mostOf(true), mostOf(false)]).toEqual([0, 1])
})

test('a shape that brings something new now and then is left alone', () => {
  const patterns = calendarAndArticle(40)
  for (let month = 0; month < 40; month++) patterns.record(month, month % 5 === 0)
  expect(patterns.barrenCount).toBe(0)
})

test('a barren shape may recover', () => {
  const patterns = calendarAndArticle(400)
  for (let month = 0; month < 200; month++) patterns.record(month, false)
  expect(patterns.barrenCount).toBe(1)
  for (let month = 200; month < 215; month++) patterns.record(month, true)
  expect(patterns.barrenCount).toBe(0)
})

test('a barren shape of one domain is no reason to throttle another, whose bits may be the same', () => {
  const table = new UrlTable()
  const both = new Patterns(table)
  for (let month = 0; month < 30; month++)
    for (const host of ['a.org', 'b.org']) {
      table.add(`https://${host}/calendar/2030/${month}`)
      both.restore(7) // as if their hashes were alike
    }
  for (let month = 0; month < 30; month++) both.record(2 * month, false)
  const { groups, most } = both.quota(false)!
  expect([most[groups[0]], most[groups[1]]]).toEqual([1, Number.POSITIVE_INFINITY])
})
