import { expect, test } from 'vitest'
import { OneFactor } from './corrections.ts'

test('what promises too much is believed less, whatever its size and class', () => {
  const factor = new OneFactor()
  expect(factor.correct(3, 0.5)).toBe(0.5)
  for (let fetch = 0; fetch < 400; fetch++) factor.observe(fetch % 7, 0.2, 0.05)
  expect(factor.correct(1, 0.2)).toBeGreaterThan(0.05)
  expect(factor.correct(1, 0.2)).toBeLessThan(0.06)
  expect(factor.correct(99, 2)).toBeCloseTo(10 * factor.correct(1, 0.2), 9)
})

test('a few fetches say little, and what was long ago fades', () => {
  const factor = new OneFactor()
  for (let fetch = 0; fetch < 5; fetch++) factor.observe(0, 0.2, 0)
  expect(factor.correct(0, 1)).toBeGreaterThan(0.75)
  for (let fetch = 0; fetch < 10_000; fetch++) factor.observe(0, 0.2, 0.2)
  expect(factor.correct(0, 1)).toBeCloseTo(1, 3)
})

test('where all came to less than nothing, something is still expected', () => {
  const factor = new OneFactor()
  for (let fetch = 0; fetch < 100; fetch++) factor.observe(0, 0.1, -0.3)
  expect(factor.correct(0, 0.1)).toBeGreaterThan(0)
})
