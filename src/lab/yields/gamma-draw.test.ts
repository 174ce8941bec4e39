import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { gammaDraw } from './gamma-draw.ts'

test.each([
  [0.3, 2],
  [1, 0.5],
  [7.5, 3],
])('draws of shape %d and rate %d have the right mean and variance', (shape, rate) => {
  const random = seededRandom(11)
  const draws = Array.from({ length: 200_000 }, () => gammaDraw(random, shape, rate))
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
  const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length
  expect(mean / (shape / rate)).toBeCloseTo(1, 1)
  expect(variance / (shape / rate ** 2)).toBeCloseTo(1, 1)
})
