import { expect, test } from 'vitest'
import { Patterns } from './patterns.ts'

/** A calendar of many months, then an article. */
function calendarAndArticle(months: number): Patterns {
  const patterns = new Patterns()
  for (let month = 0; month < months; month++) patterns.add(`https://a.org/calendar/2030/${month}`)
  patterns.add('https://a.org/article/telling-words')
  return patterns
}

test('addresses of one shape that never bring anything new are throttled, others are not', () => {
  const patterns = calendarAndArticle(30)
  for (let month = 0; month < 19; month++) patterns.record(month, false)
  expect(patterns.barrenCount).toBe(0)
  expect(patterns.quota()).toBeUndefined()
  patterns.record(19, false)
  expect(patterns.barrenCount).toBe(1)
  const { groups, most } = patterns.quota()!
  expect(most[groups[25]]).toBe(1)
  expect(most[groups[30]]).toBe(Number.POSITIVE_INFINITY)
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
