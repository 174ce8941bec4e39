import { expect, test } from 'vitest'
import { UnsentPlans } from './unsent-plans.ts'

/** A clock that jumps to what is waited for, and tells when it was. */
function patientClock() {
  const waits: number[] = []
  let seconds = 0
  const now = () => seconds
  const waitUntil = async (at: number) => {
    waits.push(at - seconds)
    seconds = Math.max(at, seconds)
  }
  return { now, waitUntil, waits }
}

const { signal } = new AbortController()
const unsent = (startedAt: number) => ({ planned: 9, answers: 0, startedAt })

test('plans that nobody sends are ever further apart, until patience is over', async () => {
  const clock = patientClock()
  const plans = new UnsentPlans(clock, { waitSeconds: 20 })
  let tries = 0
  while (await plans.pause(unsent(clock.now()), 0, signal)) tries++
  expect(clock.waits).toEqual([1, 2, 4, 5, 5, 5])
  expect(tries).toBe(6)
})

test('a fetcher that took its time over a plan is not made to wait as well', async () => {
  const clock = patientClock()
  const plans = new UnsentPlans(clock, {})
  for (let n = 0; n < 1_000; n++) {
    const startedAt = clock.now()
    await clock.waitUntil(startedAt + 5)
    expect(await plans.pause(unsent(startedAt), 0, signal)).toBe(true)
  }
  expect(clock.now()).toBe(5_000)
})

test('whatever was sent, is under way or was not planned starts the count anew', async () => {
  const clock = patientClock()
  const plans = new UnsentPlans(clock, {})
  await plans.pause(unsent(clock.now()), 0, signal)
  await plans.pause(unsent(clock.now()), 1, signal)
  await plans.pause({ ...unsent(clock.now()), planned: 0 }, 0, signal)
  await plans.pause(unsent(clock.now()), 0, signal)
  expect(clock.waits).toEqual([1, 1])
})

test('no pause goes beyond the end of the crawl, and a clock that cannot wait ends it', async () => {
  const clock = patientClock()
  await new UnsentPlans(clock, { until: 0.5 }).pause(unsent(0), 0, signal)
  expect(clock.now()).toBe(0.5)
  expect(await new UnsentPlans({ now: () => 0 }, {}).pause(unsent(0), 0, signal)).toBe(false)
})
