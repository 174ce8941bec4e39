import { expect, test } from 'vitest'
import { toldGroups } from './told-groups.ts'

test('results tell of each group how many rows it has, by both names', () => {
  expect(toldGroups([1, 2, 2], [0, 4, 8])).toEqual([
    { rows: 1, weight: 1, predicted: 1, realised: 0 },
    { rows: 2, weight: 2, predicted: 2, realised: 6 },
  ])
})
