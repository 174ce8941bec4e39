import { expect, test } from 'vitest'
import { Alarms } from './alarms.ts'

test('a few pages that vanish together raise an alarm for their class alone', () => {
  const alarms = new Alarms()
  for (let at = 0; at < 3; at++) alarms.observeEvent(4, 0.01, true, 100 + at)
  alarms.observeEvent(5, 0.01, true, 101)
  expect(alarms.of(4)).toMatchObject({ classNumber: 4, since: 100 })
  expect(alarms.of(4)!.factor).toBeGreaterThan(5)
  expect(alarms.of(5)).toBeUndefined()
  expect(alarms.all().map(({ classNumber }) => classNumber)).toEqual([4])
})

test('pages that vanish now and then, as they always did, alarm nobody', () => {
  const alarms = new Alarms()
  for (let i = 0; i < 1_000; i++) {
    alarms.observeEvent(1, 0.02, i % 50 === 0, i)
    expect(alarms.of(1)).toBeUndefined()
  }
})

test('an alarm ends when the rest of the class turns out to be there', () => {
  const alarms = new Alarms()
  for (let at = 0; at < 5; at++) alarms.observeEvent(1, 0.01, true, at)
  expect(alarms.of(1)).toBeDefined()
  for (let at = 5; at < 30; at++) alarms.observeEvent(1, 0.01, false, at)
  expect(alarms.of(1)).toBeUndefined()
})

test('a burst of new links raises an alarm, a steady stream does not', () => {
  const alarms = new Alarms()
  for (let at = 0; at < 20; at++) alarms.observeCount(1, 3, 3, at)
  expect(alarms.of(1)).toBeUndefined()
  alarms.observeCount(1, 0.5, 9, 21)
  expect(alarms.of(1)).toMatchObject({ since: 21 })
})
