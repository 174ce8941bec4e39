import { expect, test } from 'vitest'
import type { ServiceWait } from '../control/progress-file.ts'
import { ServicePace } from './service-pace.ts'

const START = 1_800_000_000
const HOUR = 3_600

/** A pace of 24 fetches a day by a clock that leaps; quiet for the first of ten hours from `quietFrom` on. */
function paceOf(quietFrom = Number.POSITIVE_INFINITY) {
  const time = { now: START }
  const spent = { now: 100 }
  const news = new AbortController()
  const waits: ServiceWait[] = []
  const clock = {
    now: () => time.now,
    waitUntil: async (at: number, signal: AbortSignal) => {
      if (!signal.aborted) time.now = at
    },
  }
  const options = {
    rate: { fetchesADay: 24, burst: 4 },
    clock,
    spent: () => spent.now,
    quietUntil: (now: number) =>
      now >= quietFrom && now < quietFrom + HOUR ? quietFrom + HOUR : 0,
    nextDue: (now: number) => now + 90,
    news: () => news.signal,
    onWait: (wait: ServiceWait) => void waits.push(wait),
  }
  return { pace: new ServicePace(options, []), time, spent, news, waits }
}
const going = new AbortController().signal

test('a pace grants a burst and waits until the next lot is saved', async () => {
  const { pace, time, spent, waits } = paceOf()
  expect([pace.budget(100), pace.budget(102)]).toEqual([104, 104])
  spent.now = 103
  expect(pace.leftInDay()).toBe(21)
  spent.now = 104
  expect(pace.budget(104)).toBe(104)
  expect(await pace.wait('budget spent', going)).toBe(true)
  expect(waits).toEqual([{ why: 'rate', until: START + 4 * HOUR }])
  expect(time.now).toBe(START + 4 * HOUR)
  expect(pace.budget(104)).toBe(108)
  expect(pace.leftInDay()).toBe(20)
})

test('in quiet hours nothing is granted, and they are waited for first', async () => {
  const { pace, time, waits } = paceOf(START)
  expect(pace.budget(100)).toBe(100)
  await pace.wait('budget spent', going)
  expect(waits).toEqual([{ why: 'quiet hours', until: START + HOUR }])
  expect(time.now).toBe(START + HOUR)
  expect(pace.budget(100)).toBe(104)
})

test('who has nothing to fetch wakes when something is due, or at once when there are news', async () => {
  const { pace, time, news } = paceOf()
  expect(await pace.wait('nothing left to fetch', going)).toBe(true)
  expect(time.now).toBe(START + 90)
  news.abort()
  expect(await pace.wait('nothing left to fetch', going)).toBe(true)
  expect(time.now).toBe(START + 90)
  // News are no reason to send more than the rate allows.
  pace.budget(104)
  await pace.wait('budget spent', going)
  expect(time.now).toBeGreaterThan(START + 90)
})

test('limits that no time lifts are an end', async () => {
  const { pace } = paceOf()
  expect(await pace.wait('time is up', going)).toBe(false)
  expect(await pace.wait('byte budget spent', going)).toBe(false)
})

test('prices are for what is left of a week of fetches, and then for the next', () => {
  const { pace } = paceOf()
  expect(pace.affords).toBe(168 - 100)
  pace.budget(167)
  expect(pace.affords).toBe(1)
  pace.budget(168)
  expect(pace.affords).toBe(168)
})
