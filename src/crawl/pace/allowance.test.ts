import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Allowance, DAY_SECONDS, type Sent } from './allowance.ts'

const START = 1_800_000_000

/** Sends of a crawl that sends what it may, whenever it looks; restarted now and then from its log. */
function sendsOf(
  { fetchesADay, burst }: { fetchesADay: number; burst: number },
  looks: readonly { readonly after: number; readonly share: number; readonly restart: boolean }[],
): Sent[] {
  const log: Sent[] = []
  let now = START
  let allowance = new Allowance({ fetchesADay, burst }, now)
  for (const { after, share, restart } of looks) {
    now += after
    if (restart) {
      const before = log.filter(({ at }) => at > now - DAY_SECONDS)
      allowance = new Allowance({ fetchesADay, burst }, now, before)
    }
    const fetches = Math.floor(allowance.grant(now) * share)
    allowance.charge(now, fetches)
    if (fetches > 0) log.push({ at: now, fetches })
  }
  return log
}

const rates = fc.record({
  fetchesADay: fc.integer({ min: 1, max: 5_000 }),
  burst: fc.integer({ min: 1, max: 800 }),
})
const looks = fc.array(
  fc.record({
    after: fc.oneof(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 200_000 })),
    share: fc.constantFrom(1, 1, 0.5, 0.1),
    restart: fc.boolean(),
  }),
  { maxLength: 120 },
)

test('between any two moments no more is sent than a burst and what the rate brings, nor a day’s fetches in 24 hours', () => {
  fc.assert(
    fc.property(rates, looks, ({ fetchesADay, burst: any }, times) => {
      const burst = Math.min(any, fetchesADay)
      const sends = sendsOf({ fetchesADay, burst }, times)
      sends.forEach(({ at: from }, first) => {
        let sum = 0
        for (const { at, fetches } of sends.slice(first)) {
          sum += fetches
          const brought = (fetchesADay * (at - from)) / DAY_SECONDS
          expect(sum).toBeLessThanOrEqual(burst + brought + 1e-3)
          if (at < from + DAY_SECONDS) expect(sum).toBeLessThanOrEqual(fetchesADay)
        }
      })
    }),
  )
})

test('whoever comes when a lot is there uses nearly all of a rate', () => {
  const allowance = new Allowance({ fetchesADay: 1_000, burst: 100 }, START)
  let [now, sent] = [START, 0]
  while (now < START + 20 * DAY_SECONDS) {
    const fetches = allowance.grant(now)
    allowance.charge(now, fetches)
    sent += fetches
    now = Math.max(now + 1, allowance.grantAt(now))
    expect(allowance.grant(now)).toBeGreaterThanOrEqual(50)
  }
  expect(sent).toBeGreaterThan(19_900)
})

test('nothing is granted before a lot is saved up, and what is not used does not pile up beyond the burst', () => {
  const allowance = new Allowance({ fetchesADay: 24, burst: 4 }, START)
  const grants = (hours: number) => allowance.grant(START + 3_600 * hours)
  expect(grants(0)).toBe(4)
  allowance.charge(START, 4)
  expect([grants(1), grants(2), grants(3)]).toEqual([0, 0, 0])
  expect([grants(4), grants(9)]).toEqual([4, 4])
  expect(allowance.leftInDay(START + 9 * 3_600)).toBe(20)
})

test('a rate that was lowered waits until less than that was sent in 24 hours, and no longer', () => {
  const before = [
    { at: START - 10 * 3_600, fetches: 500 },
    { at: START - 5 * 3_600, fetches: 80 },
  ]
  const allowance = new Allowance({ fetchesADay: 100, burst: 10 }, START, before)
  expect([allowance.leftInDay(START), allowance.grant(START)]).toEqual([0, 0])
  expect(allowance.grantAt(START)).toBe(START + 14 * 3_600)
  expect(allowance.grant(START + 14 * 3_600)).toBe(10)
})

test('who was cut off amid a lot goes on with the rest of it, and later by the lot again', () => {
  const hour = (hours: number) => START + 3_600 * hours
  const before = [{ at: hour(0), fetches: 60 }]
  const allowance = new Allowance({ fetchesADay: 240, burst: 100 }, hour(1), before)
  expect(allowance.grant(hour(1))).toBe(50)
  allowance.charge(hour(1), 30)
  expect(allowance.grant(hour(2))).toBe(20)
})
