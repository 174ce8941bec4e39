import { expect, test } from 'vitest'
import { narrowTable, tableWithWords, wrapped } from './narrow-table.ts'
import { table } from './output.ts'
import { terminalWidth } from './terminal-width.ts'

const header = ['archive', 'policy', 'quality', 'maxNDCG@10', 'fetches', 'seconds']
const rows = [
  ['modelweb', 'pagerank', 0.5, 0.75, 1200, 3.25],
  ['modelweb', 'impact', 0.75, 0.875, 1200, 12.5],
]

test('a table that fits is left as it is', () => {
  expect(narrowTable(header, rows, 200)).toBe(table(header, rows))
})

test('a table that does not is cut into parts, each with the words that name its lines', () => {
  for (const width of [30, 40, 50]) {
    const text = narrowTable(header, rows, width)
    for (const line of text.split('\n')) expect(terminalWidth(line)).toBeLessThanOrEqual(width)
    const parts = text.split('\n\n')
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) expect(part).toMatch(/archive +policy[\s\S]*modelweb +impact/)
    for (const name of header.slice(2))
      expect(parts.filter((part) => part.includes(name)).length).toBe(1)
  }
})

test('words that do not fit beside their line stand below it', () => {
  const named = ['bid', 'url', 'why']
  const told = [
    [1.5, 'http://a.example/', 'may answer "walks" and two more'],
    [0.5, 'http://b.example/', ''],
  ]
  expect(tableWithWords(named, told, 80)).toBe(table(named, told))
  expect(tableWithWords(named, told, 30).split('\n')).toEqual([
    '  bid  url',
    '─────  ─────────────────',
    '1.500  http://a.example/',
    '        may answer "walks" and',
    '        two more',
    '0.500  http://b.example/',
  ])
})

test('words are wrapped between words', () => {
  expect(wrapped('one two three', 8)).toBe('one two\nthree')
})
