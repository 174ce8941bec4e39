import fc from 'fast-check'
import { expect, test } from 'vitest'
import { poisson, squared } from './losses.ts'

const LOSSES = { squared, poisson }
type LossName = keyof typeof LOSSES
const NAMES = Object.keys(LOSSES) as LossName[]

/** The loss of one row, up to a constant. */
const LOSS_OF: Readonly<Record<LossName, (raw: number, target: number) => number>> = {
  squared: (raw, target) => (raw - target) ** 2 / 2,
  poisson: (raw, target) => Math.exp(raw) - raw * target,
}

const row = fc.record({
  raw: fc.double({ min: -3, max: 3, noNaN: true }),
  target: fc.constantFrom(0, 0, 0.5, 1),
  weight: fc.integer({ min: 1, max: 4 }),
})
type Row = { raw: number; target: number; weight: number }

function derivatives(name: LossName, rows: readonly Row[]) {
  const columns = (['raw', 'target', 'weight'] as const).map((field) =>
    Float64Array.from(rows, (one) => one[field]),
  )
  const gradients = new Float64Array(rows.length)
  const hessians = new Float64Array(rows.length)
  LOSSES[name].derive(columns[0], columns[1], columns[2], gradients, hessians)
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  return { gradient: sum(gradients), hessian: sum(hessians) }
}

function lossOf(name: LossName, rows: readonly Row[], step: number): number {
  return rows.reduce(
    (sum, { raw, target, weight }) => sum + weight * LOSS_OF[name](raw + step, target),
    0,
  )
}

test.each(NAMES)('%s: derivatives are those of the loss', (name) => {
  fc.assert(
    fc.property(row, (one) => {
      const { gradient, hessian } = derivatives(name, [one])
      const h = 1e-4
      const at = (step: number) => lossOf(name, [one], step)
      expect(gradient).toBeCloseTo((at(h) - at(-h)) / (2 * h), 4)
      expect(hessian).toBeCloseTo((at(h) - 2 * at(0) + at(-h)) / h ** 2, 2)
    }),
  )
})

test.each(NAMES)('%s: what a leaf saves is exactly the fall of the loss', (name) => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.double({ min: -2, max: 2, noNaN: true }),
      (rows, step) => {
        const { gradient, hessian } = derivatives(name, rows)
        const saved = LOSSES[name].saved(gradient, hessian, 0, step)
        expect(saved).toBeCloseTo(lossOf(name, rows, 0) - lossOf(name, rows, step), 6)
      },
    ),
  )
})

test.each(NAMES)('%s: no other leaf value saves more', (name) => {
  const loss = LOSSES[name]
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.double({ min: 0.01, max: 5, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      (rows, l2, off) => {
        const { gradient, hessian } = derivatives(name, rows)
        const value = loss.leafValue(gradient, hessian, l2)
        const most = loss.saved(gradient, hessian, l2, value)
        fc.pre(Math.abs(value) < 7)
        expect(loss.saved(gradient, hessian, l2, value + off)).toBeLessThanOrEqual(most + 1e-9)
      },
    ),
  )
})

test('a leaf of one large gain among zeros stays within reason', () => {
  const rows = [
    { raw: -5, target: 1000, weight: 1 },
    ...Array.from({ length: 9 }, () => ({ raw: -5, target: 0, weight: 1 })),
  ]
  const { gradient, hessian } = derivatives('poisson', rows)
  expect(poisson.leafValue(gradient, hessian, 1)).toBeLessThanOrEqual(8)
  expect(poisson.leafValue(gradient, hessian, 1)).toBeGreaterThan(0)
})
