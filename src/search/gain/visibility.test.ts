import { expect, test } from 'vitest'
import { powerVisibility, topVisibility } from './visibility.ts'

test('the fourth result is seen an eighth as often as the first', () => {
  expect([1, 4, 100].map(powerVisibility)).toEqual([1, 1 / 8, 1 / 1000])
})

test('whoever looks at the first three results sees these, and no other', () => {
  expect([1, 2, 3, 4, 5].map(topVisibility(3))).toEqual([1, 1, 1, 0, 0])
})
