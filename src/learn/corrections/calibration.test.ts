import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { Calibration } from './calibration.ts'

test('before anything was seen a prediction stands as it is', () => {
  expect(new Calibration().correct(7, 0.3)).toBe(0.3)
})

test('predictions that are three times too high are brought down', () => {
  const calibration = new Calibration()
  const random = seededRandom(1)
  for (let i = 0; i < 2_000; i++) {
    const predicted = random.next()
    calibration.observe(i % 5, predicted, random.chance(predicted / 3) ? 1 : 0)
  }
  for (const predicted of [0.2, 0.5, 0.9]) {
    const ratio = calibration.correct(1, predicted) / predicted
    expect(ratio).toBeGreaterThan(0.2)
    expect(ratio).toBeLessThan(0.45)
  }
})

test('a class that disappoints is corrected more than the others', () => {
  const calibration = new Calibration()
  for (let i = 0; i < 1_000; i++) calibration.observe(i % 4, 1, i % 4 === 0 ? 0 : 1)
  expect(calibration.correct(0, 1)).toBeLessThan(0.15)
  expect(calibration.correct(1, 1)).toBeGreaterThan(0.9)
  expect(calibration.correct(99, 1)).toBeCloseTo(0.75, 1)
})

test('a correction never turns the order of two predictions of one class', () => {
  const calibration = new Calibration()
  const random = seededRandom(2)
  for (let i = 0; i < 500; i++) calibration.observe(0, random.next(), random.next() ** 4)
  const corrected = Array.from({ length: 50 }, (_, i) => calibration.correct(0, i / 50))
  expect(corrected).toEqual(corrected.toSorted((a, b) => a - b))
})

test('corrections go by what was seen, not by when they were asked for', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  const row = fc.record({ asked: fc.boolean(), predicted: part, realised: fc.nat(2) })
  fc.assert(
    fc.property(fc.array(row, { minLength: 20, maxLength: 60 }), (rows) => {
      const [steady, takenUp] = [new Calibration(), new Calibration()]
      for (const { asked, predicted, realised } of rows) {
        steady.observe(0, predicted, realised)
        if (asked) steady.correct(0, predicted)
        takenUp.observe(0, predicted, realised)
      }
      for (const { predicted } of rows)
        expect(takenUp.correct(0, predicted)).toBe(steady.correct(0, predicted))
    }),
  )
})
