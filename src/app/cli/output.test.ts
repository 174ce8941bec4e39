import { expect, test } from 'vitest'
import { table } from './output.ts'

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

test('a table may have more rows than a call has room for arguments', () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => [i])
  expect(table(['n'], rows).split('\n').length).toBe(300_002)
})
