import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CsvRows } from './csv-rows.ts'

function rowsIn(text: string): { rows: (readonly string[])[]; bad: string[] } {
  const rows: (readonly string[])[] = []
  const bad: string[] = []
  const csv = new CsvRows(
    (fields) => rows.push(fields),
    (line, reason) => bad.push(`${line}: ${reason}`),
  )
  text.split('\n').forEach((line, i) => {
    csv.read(line, i + 1)
  })
  csv.end()
  return { rows, bad }
}

const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`

test('what was quoted is read back, whatever it holds', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ';', ' ', 'é') })
  const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1 })
  fc.assert(
    fc.property(table, (rows) => {
      const text = rows.map((row) => row.map(quoted).join(',')).join('\n')
      fc.pre(!/(?:\n[^\n]*){20}/.test(text))
      expect(rowsIn(text)).toEqual({ rows, bad: [] })
    }),
  )
})

test('a forgotten quote costs its line only', () => {
  const lines = ['a,1', '"b,2', ...Array.from({ length: 30 }, (_, i) => `c${i},3`)]
  const { rows, bad } = rowsIn(lines.join('\n'))
  expect(bad).toEqual(['2: a quote is not closed'])
  expect(rows.length).toBe(31)
})

test('text after a closing quote is bad; semicolons and tabs part fields too', () => {
  expect(rowsIn('"a"b,1\nc,2')).toEqual({
    rows: [['c', '2']],
    bad: ['1: text after a closing quote'],
  })
  expect(rowsIn('a;1\nb,c;2').rows).toEqual([
    ['a', '1'],
    ['b,c', '2'],
  ])
  expect(rowsIn('a\t1').rows).toEqual([['a', '1']])
})
