import fc from 'fast-check'
import { expect, test } from 'vitest'
import { liveClock } from './live-clock.ts'

test('a time that is over is not waited for, and one to come until it is there', async () => {
  const clock = liveClock()
  const { signal } = new AbortController()
  const [before, soon] = [clock.now() - 60, clock.now() + 0.05]
  await clock.waitUntil!(before, signal)
  await clock.waitUntil!(soon, signal)
  expect(clock.now()).toBeGreaterThanOrEqual(soon)
})

test('whoever says stop ends a wait, before it and during it', async () => {
  const clock = liveClock()
  const inAnHour = clock.now() + 3_600
  await clock.waitUntil!(inAnHour, AbortSignal.abort())
  const controller = new AbortController()
  const waiting = clock.waitUntil!(inAnHour, controller.signal)
  controller.abort()
  await waiting
  expect(clock.now()).toBeLessThan(inAnHour)
})

test('it begins with the time of the machine, and goes on as time goes by, however that is set', () => {
  const step = fc.record({ ms: fc.nat(1_000_000), wallMs: fc.integer({ min: -1e12, max: 1e12 }) })
  fc.assert(
    fc.property(fc.nat(2e12), fc.nat(1e9), fc.array(step), (wallAtFirst, elapsedAtFirst, steps) => {
      let [wall, elapsed] = [wallAtFirst, elapsedAtFirst]
      const clock = liveClock(
        () => wall,
        () => elapsed,
      )
      expect(clock.now()).toBeCloseTo(wallAtFirst / 1000, 3)
      for (const { ms, wallMs } of steps) {
        elapsed += ms
        wall = wallMs
        expect(clock.now()).toBeCloseTo((wallAtFirst + elapsed - elapsedAtFirst) / 1000, 3)
      }
    }),
  )
})
