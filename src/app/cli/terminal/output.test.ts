import { expect, test } from 'vitest'
import { daysText, shortNumber, table } from './output.ts'

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

test('columns stand in line also under characters that are twice as wide', () => {
  const rows = [
    ['日本の山', 'a'],
    ['trails', 'b'],
  ]
  expect(table(['query', 'x'], rows).split('\n').slice(1)).toEqual([
    '────────  ─',
    '日本の山  a',
    'trails    b',
  ])
})

test.each([
  [1_234, '1,234'],
  [123.45, '123'],
  [12_345.6, '12,346'],
  [12.3456, '12.346'],
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

test('a cell from the web stays on its line', () => {
  expect(table(['title'], [['a\nb\u001b[1m']])).toMatch(/\na b \[1m$/)
})

test.each([
  [0.000_216, '19 s'],
  [0.5, '12 h 0 min'],
  [12.5, '12.500 days'],
])('%d days are told in a unit that fits: %s', (days, text) => {
  expect(daysText(days)).toBe(text)
})
