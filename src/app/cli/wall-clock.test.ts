import { expect, test } from 'vitest'
import { wallClock } from './wall-clock.ts'

test('a time that is over is not waited for, and one to come until it is there', async () => {
  const clock = wallClock()
  const { signal } = new AbortController()
  const [before, soon] = [clock.now() - 60, clock.now() + 0.05]
  await clock.waitUntil!(before, signal)
  await clock.waitUntil!(soon, signal)
  expect(clock.now()).toBeGreaterThanOrEqual(soon)
})

test('whoever says stop ends a wait, before it and during it', async () => {
  const clock = wallClock()
  const inAnHour = clock.now() + 3_600
  await clock.waitUntil!(inAnHour, AbortSignal.abort())
  const controller = new AbortController()
  const waiting = clock.waitUntil!(inAnHour, controller.signal)
  controller.abort()
  await waiting
  expect(clock.now()).toBeLessThan(inAnHour)
})
