import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonRows } from './json-rows.ts'

function rowsIn(text: string): { rows: unknown[]; lines: number[]; bad: string[] } {
  const rows: unknown[] = []
  const lines: number[] = []
  const bad: string[] = []
  const json = new JsonRows(
    (row, line) => {
      rows.push(row)
      lines.push(line)
    },
    (line, reason) => bad.push(`${line}: ${reason}`),
  )
  text.split('\n').forEach((line, i) => {
    json.read(line, i + 1)
  })
  json.end()
  return { rows, lines, bad }
}

test('the rows of any document are found, however it is laid out', () => {
  const row = fc.dictionary(fc.string(), fc.jsonValue())
  fc.assert(
    fc.property(fc.array(row), fc.nat(3), fc.boolean(), (rows, indent, wrapped) => {
      const text = JSON.stringify(wrapped ? { total: '[', rows, next: [1] } : rows, null, indent)
      const found = rowsIn(text)
      expect(found.bad).toEqual([])
      expect(JSON.stringify(found.rows)).toBe(JSON.stringify(rows))
    }),
  )
})

test('a bad row costs itself and is told with its line', () => {
  const { rows, lines, bad } = rowsIn('[\n{"a": 1},\n{"a": },\n12,\n["x"],\n{"a": 2}\n]')
  expect(rows).toEqual([{ a: 1 }, { a: 2 }])
  expect(lines).toEqual([2, 6])
  expect(bad).toEqual([
    '3: a row is no JSON object',
    '4: a row is no JSON object',
    '5: a row is no JSON object',
  ])
})

test('a document that ends too soon is told', () => {
  expect(rowsIn('[{"a": 1},\n{"a":').bad).toEqual(['2: the file ends inside this row'])
  expect(rowsIn('[{"a": 1}').bad).toEqual(['1: the list is cut off here'])
  expect(rowsIn('{"error": "no"}').bad).toEqual(['1: holds no list of rows'])
})
