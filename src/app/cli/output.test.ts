import { expect, test } from 'vitest'
import { shortNumber, table } from './output.ts'

test('columns are as wide as their widest cell, and numbers stand to the right', () => {
  expect(
    table(
      ['url', 'n'],
      [
        ['a', 1_000],
        ['long', 2],
      ],
    ).split('\n'),
  ).toEqual(['url       n', '────  ─────', 'a     1,000', 'long      2'])
})

test.each([
  [1_234, '1,234'],
  [123.45, '123'],
  [0.5, '0.500'],
  [0.001234, '0.00123'],
  [1.8e-17, '0'],
  [-1e-19, '0'],
])('%d is shown as %s', (value, text) => {
  expect(shortNumber(value)).toBe(text)
})

test('a table may have more rows than a call has room for arguments', () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => [i])
  expect(table(['n'], rows).split('\n').length).toBe(300_002)
})
