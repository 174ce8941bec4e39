import { expect, test } from 'vitest'
import { toRuns } from './line-runs.ts'

test('neighbouring lines become one run', () => {
  expect(toRuns([4, 5, 6, 2, 9, 10])).toEqual([4, 3, 2, 1, 9, 2])
  expect(toRuns([])).toEqual([])
})
