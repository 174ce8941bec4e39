import { expect, test } from 'vitest'
import { steadyClock } from './steady-clock.ts'

test('time goes on with the clock, and without it, but never back', () => {
  let wall = 1_000
  let elapsed = 0
  const now = steadyClock({ now: () => wall }, () => elapsed)
  expect(now()).toBe(1_000)
  elapsed += 2_000 // the clock stands still
  expect(now()).toBe(1_002)
  wall = 5_000 // it is set forward
  expect(now()).toBe(5_000)
  wall = 10 // and back by far too much
  elapsed += 500
  expect(now()).toBe(5_000.5)
})

test('is never ahead, though the process has to wait between looking at one clock and the other', () => {
  let time = 1000
  let wait = 0
  const look = () => {
    const seen = time
    time += wait
    wait = 0
    return seen
  }
  const now = steadyClock({ now: look }, () => 1000 * look())
  for (let i = 0; i < 10; i++) {
    wait = 0.06
    now()
    time += 1
    expect(now()).toBeCloseTo(time, 9)
  }
})
