import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Deadline } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const now = () => performance.now() / 1000

test('it tells when its time has come, however far away that is', () => {
  const month = 30 * 86_400
  const deadline = new Deadline(now, now() + month)
  vi.advanceTimersByTime(1000 * month - 1)
  expect([deadline.isPassed, deadline.signal.aborted]).toEqual([false, false])
  vi.advanceTimersByTime(2)
  expect([deadline.isPassed, deadline.signal.aborted]).toEqual([true, true])
})

test('it can be moved closer, and never away', () => {
  const deadline = new Deadline(now)
  vi.advanceTimersByTime(1e9)
  expect(deadline.isPassed).toBe(false)
  deadline.leave(2)
  deadline.leave(10)
  expect(deadline.msLeft).toBeCloseTo(2_000)
  vi.advanceTimersByTime(2_001)
  expect(deadline.signal.aborted).toBe(true)
})
