import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { crossFitBoostedTrees, foldsByGroup, outOfFold, rowsOfFold } from './cross-fit.ts'
import { tableOf } from './feature-table.ts'

const groups = fc.array(fc.nat(12), { maxLength: 60 })
const folds = fc.integer({ min: 1, max: 5 })

test('a group is never parted, and folds hold about equally many groups', () => {
  fc.assert(
    fc.property(groups, folds, fc.nat(), (of, count, seed) => {
      const foldOf = foldsByGroup(of, count, seed)
      const byGroup = new Map(of.map((group, row) => [group, foldOf[row]]))
      for (const [row, group] of of.entries()) expect(foldOf[row]).toBe(byGroup.get(group))
      const sizes = Array.from(
        { length: count },
        (_, fold) => [...byGroup.values()].filter((value) => value === fold).length,
      )
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
    }),
  )
})

test('the order of rows does not move a group to another fold, the seed does', () => {
  const of = Array.from({ length: 40 }, (_, row) => row % 20)
  const reversed = foldsByGroup(of.toReversed(), 4, 1).reverse()
  expect([...reversed]).toEqual([...foldsByGroup(of, 4, 1)])
  expect([...foldsByGroup(of, 4, 2)]).not.toEqual([...foldsByGroup(of, 4, 1)])
})

test('each row is predicted once, from the rows of all other folds', () => {
  fc.assert(
    fc.property(groups, folds, (of, count) => {
      const foldOf = foldsByGroup(of, count, 7)
      const predictions = outOfFold(foldOf, (training, heldOut) => {
        expect([...training, ...heldOut].sort((a, b) => a - b)).toEqual([...of.keys()])
        for (const row of heldOut) expect(foldOf[row]).toBe(foldOf[heldOut[0]])
        for (const row of training) expect(foldOf[row]).not.toBe(foldOf[heldOut[0]])
        return heldOut.map((row) => row + 1)
      })
      expect([...predictions]).toEqual(of.map((_, row) => row + 1))
    }),
  )
})

test('rows of a fold and rows outside it are the two halves of the whole', () => {
  const of = Uint8Array.of(0, 1, 0, 2)
  expect([...rowsOfFold(of, 0)]).toEqual([0, 2])
  expect([...rowsOfFold(of, 0, { outside: true })]).toEqual([1, 3])
})

test('what only repeats within a group cannot be predicted from other groups', () => {
  const random = seededRandom(4)
  const of = Array.from({ length: 400 }, (_, row) => row >> 2)
  const secret = Array.from({ length: 100 }, () => random.normal())
  const targets = of.map((group) => secret[group])
  const table = tableOf(
    ['group'],
    of.map((group) => [(group * 37) % 100]),
  )
  const options = { loss: 'squared', trees: 50, minLeafWeight: 1, bins: 255 } as const
  const errorOf = (predicted: Float64Array) =>
    targets.reduce((sum, target, row) => sum + (target - predicted[row]) ** 2, 0)
  const rowByRow = crossFitBoostedTrees(table, targets, foldsByGroup([...of.keys()], 4, 1), options)
  const byGroup = crossFitBoostedTrees(table, targets, foldsByGroup(of, 4, 1), options)
  expect(errorOf(rowByRow)).toBeLessThan(errorOf(byGroup) / 2)
})
