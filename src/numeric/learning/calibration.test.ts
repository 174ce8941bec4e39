import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import {
  type CalibrationGroup,
  calibrated,
  calibrationGroups,
  fitCalibrator,
} from './calibration.ts'

test('ten rows in five groups go two by two, the lowest predictions first', () => {
  const predicted = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
  const realised = predicted.map((value) => value * 2)
  const groups = calibrationGroups(predicted, realised, 5)
  expect(groups.map(({ predicted, realised, rows }) => [predicted, realised, rows])).toEqual([
    [0.5, 1, 2],
    [2.5, 5, 2],
    [4.5, 9, 2],
    [6.5, 13, 2],
    [8.5, 17, 2],
  ])
})

const rows = fc.array(
  fc.record({
    predicted: fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8),
    realised: fc.integer({ min: 0, max: 1 }),
  }),
  { maxLength: 40 },
)
const columnsOf = (all: readonly { predicted: number; realised: number }[]) => ({
  predicted: all.map(({ predicted }) => predicted),
  realised: all.map(({ realised }) => realised),
})
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

test('groups lose no row, part no equals, and are no more than asked for', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 12 }), (all, count) => {
      const { predicted, realised } = columnsOf(all)
      const groups = calibrationGroups(predicted, realised, count)
      expect(groups.length).toBeLessThanOrEqual(count)
      expect(total(groups.map(({ rows }) => rows))).toBe(all.length)
      const came = total(groups.map((group) => group.rows * group.realised))
      expect(came).toBeCloseTo(total(realised), 9)
      for (let i = 1; i < groups.length; i++)
        expect(groups[i].predicted).toBeGreaterThan(groups[i - 1].predicted)
    }),
  )
})

test('corrected predictions keep their order, and probabilities stay probabilities', () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(rows, chance, chance, (all, one, other) => {
      const { predicted, realised } = columnsOf(all)
      const calibrator = fitCalibrator(predicted, realised, { probability: true })
      const [low, high] = [Math.min(one, other), Math.max(one, other)]
      expect(calibrated(calibrator, low)).toBeLessThanOrEqual(calibrated(calibrator, high) + 1e-12)
      expect(calibrated(calibrator, low)).toBeGreaterThanOrEqual(0)
      expect(calibrated(calibrator, high)).toBeLessThanOrEqual(1)
    }),
  )
})

test('with no data predictions stay as they are, and with few nearly so', () => {
  const none = fitCalibrator([], [])
  expect([0, 0.3, 7].map((value) => calibrated(none, value))).toEqual([0, 0.3, 7])
  const few = fitCalibrator([0.2, 0.2, 0.2], [1, 1, 0], { probability: true })
  expect(calibrated(few, 0.2)).toBeGreaterThan(0.2)
  expect(calibrated(few, 0.2)).toBeLessThan(0.3)
})

/** Mean distance of predicted and realised over groups: 0 is perfect. */
function errorOf(groups: readonly CalibrationGroup[]): number {
  const errors = groups.map((group) => group.rows * Math.abs(group.predicted - group.realised))
  return total(errors) / total(groups.map(({ rows }) => rows))
}

test('with many data predictions are corrected, beyond the largest seen too', () => {
  const random = seededRandom(1)
  const predicted = Array.from({ length: 20_000 }, () => random.next())
  const realised = predicted.map((value) => (random.chance(0.05) ? 20 * value * value : 0))
  const calibrator = fitCalibrator(predicted, realised, { groups: 20 })
  for (const value of [0.3, 0.5, 0.7, 0.9])
    expect(Math.abs(calibrated(calibrator, value) - value * value)).toBeLessThan(0.1)
  expect(calibrated(calibrator, 2)).toBeGreaterThan(calibrated(calibrator, 1) * 1.99)
  const corrected = predicted.map((value) => calibrated(calibrator, value))
  expect(errorOf(calibrationGroups(corrected, realised))).toBeLessThan(
    errorOf(calibrationGroups(predicted, realised)) / 3,
  )
})

test('right probabilities are hardly changed', () => {
  const random = seededRandom(2)
  const predicted = Array.from({ length: 5000 }, () => random.next())
  const realised = predicted.map((chance) => Number(random.chance(chance)))
  const calibrator = fitCalibrator(predicted, realised, { probability: true })
  for (let chance = 0; chance <= 1; chance += 0.1)
    expect(Math.abs(calibrated(calibrator, chance) - chance)).toBeLessThan(0.06)
})
