import { expect, test } from 'vitest'
import { terminalChart } from './terminal-chart.ts'

const rising = { name: 'rising', values: [0.2, 0.6] }
const flat = { name: 'flat', values: [0.4, 0.4, 0.4] }
const rowsOf = (chart: string) => chart.split('\n')

test('a rising curve goes from the lower left to the upper right corner of its axis', () => {
  const rows = rowsOf(terminalChart([rising], 'weeks'))
  expect(rows[0]).toMatch(/^ {2}0\.60 ┤ +█+$/)
  expect(rows[13]).toMatch(/^ {2}0\.20 ┤█+$/)
  expect(rows.at(-2)).toMatch(/└─+ weeks$/)
})

test('every curve is there in its own mark, and the last lies above', () => {
  const rows = rowsOf(terminalChart([flat, rising], 'weeks'))
  expect(rows.at(-1)!.trim()).toBe('· flat   █ rising')
  const drawn = rows.slice(0, 14).join('\n')
  expect([...drawn].filter((mark) => mark === '█').length).toBe(64)
  expect([...drawn].filter((mark) => mark === '·').length).toBeGreaterThan(55)
  const swapped = rowsOf(terminalChart([rising, flat], 'weeks'))
    .slice(0, 14)
    .join('\n')
  expect([...swapped].filter((mark) => mark === '█').length).toBe(64)
})

test('curves that are all one value have an axis too', () => {
  expect(rowsOf(terminalChart([{ name: 'x', values: [1] }], 'weeks'))[0]).toMatch(/1\.05/)
})
