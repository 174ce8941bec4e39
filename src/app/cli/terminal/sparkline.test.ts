import { expect, test } from 'vitest'
import { sparkline } from './sparkline.ts'

test('the largest value has the highest bar, and nothing has the lowest', () => {
  expect(sparkline([0, 1, 2, 4, 7])).toBe('▁▂▃▅█')
  expect(sparkline([0, 0])).toBe('▁▁')
  expect(sparkline([-3, 0, 4])).toBe('▁▁█')
  expect(sparkline([-1, -2])).toBe('▁▁')
  expect(sparkline([])).toBe('')
})

test('a long row is shown by the means of neighbours', () => {
  const row = Array.from({ length: 1_000 }, (_, place) => (place < 500 ? 7 : 0))
  expect(sparkline(row, 4)).toBe('██▁▁')
  expect(sparkline(row).length).toBe(40)
})
