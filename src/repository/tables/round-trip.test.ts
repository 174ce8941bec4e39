import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cases } from '#numeric/cases.test-kit.ts'
import { appendColumns, appendRows } from '../database/append-columns.ts'
import type { Column, ColumnKind, Table } from '../database/define-table.ts'
import { openDatabase } from '../database/open-database.ts'
import { readColumns } from '../database/read-columns.ts'
import { sharedFolder } from '../temporary-folder.test-kit.ts'
import { CRAWL_TABLES } from './crawl-tables.ts'
import { migrate } from './schema.ts'

const dir = sharedFolder()
let connection: DuckDBConnection
let close: () => void
beforeAll(async () => {
  ;({ connection, close } = await openDatabase(dir))
  await migrate(connection, dir)
})
afterAll(() => {
  close()
})

const word = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\n', '\u{1f980}', '\ufffd', "'; --", 'é', '\u0000', 'a'.repeat(5_000)),
)

/** What may be appended to a column, and what it is read back as. */
function valuesOf(column: Column<unknown>): fc.Arbitrary<unknown> {
  const { kind, words = [] } = column
  const some: Record<ColumnKind, fc.Arbitrary<unknown>> = {
    integer: fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 31 - 1, -1)),
    long: fc.oneof(fc.maxSafeNat(), fc.constantFrom(0, 2 ** 32, Number.MAX_SAFE_INTEGER)),
    double: fc.oneof(fc.double(), fc.constantFrom(-0, Infinity, -Infinity, NaN, 5e-324, 1e308)),
    boolean: fc.boolean(),
    text,
    word: fc.nat(Math.max(0, words.length - 1)).map((place) => words[place]),
    hash: fc.tuple(word, word),
  }
  return fc.option(some[kind], { nil: kind === 'text' ? null : undefined })
}

function readAs({ kind, missing }: Column<unknown>, value: unknown): unknown {
  if (kind === 'integer') return value === undefined || value === -1 ? (missing ?? -1) : value
  if (kind === 'long' || kind === 'double') return value ?? Number.NaN
  if (kind === 'boolean') return value ?? null
  return kind === 'hash' ? (value ?? [0, 0]) : value
}

/** The rows of a table as objects. */
async function rowsIn(table: Table): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for await (const { rowCount, columns } of readColumns(connection, table, table.stored))
    for (let row = 0; row < rowCount; row++) {
      const values = table.stored.map((name) => {
        const items = columns[name]
        const isPair = table.columns[name].kind === 'hash'
        return [name, isPair ? [items[2 * row], items[2 * row + 1]] : items[row]]
      })
      rows.push(Object.fromEntries(values))
    }
  return rows
}

type Row = Record<string, unknown>

function rowsFor(table: Table): fc.Arbitrary<Row> {
  const { columns, stored } = table
  return fc.record(Object.fromEntries(stored.map((name) => [name, valuesOf(columns[name])])))
}

async function expectsRoundTrip(table: Table, rows: readonly Row[]): Promise<void> {
  const { name, columns, stored } = table
  await connection.run(`DELETE FROM ${name}`)
  const values = stored.map((column) => [column, rows.map((row) => row[column])])
  await appendColumns(connection, table, rows.length, Object.fromEntries(values))
  const expected = rows.map((row) =>
    Object.fromEntries(stored.map((column) => [column, readAs(columns[column], row[column])])),
  )
  expect(await rowsIn(table)).toEqual(expected)
}

describe.each([...CRAWL_TABLES])('$name', (table) => {
  test('what is appended is read back by name', { timeout: 600_000 }, async () => {
    const property = fc.asyncProperty(fc.array(rowsFor(table), { minLength: 1 }), (rows) =>
      expectsRoundTrip(table, rows),
    )
    await fc.assert(property, { numRuns: cases(5) })
  })

  test('so are more rows than DuckDB takes at once', async () => {
    const rows = fc.sample(rowsFor(table), { numRuns: 40, seed: 1 })
    await expectsRoundTrip(table, Array.from({ length: 60 }, () => rows).flat())
  })
})

test('half of a surrogate pair, which UTF-8 cannot say, becomes a replacement character', async () => {
  const table = CRAWL_TABLES.find(({ name }) => name === 'anchor')!
  await connection.run('DELETE FROM anchor')
  await appendColumns(connection, table, 1, { id: [0], text: ['a\ud83e'] })
  expect(await rowsIn(table)).toEqual([{ id: 0, text: 'a\ufffd' }])
})

test('the order in which a directory has its columns does not matter, nor what nobody declares', async () => {
  const click = CRAWL_TABLES.find(({ name }) => name === 'click')!
  await connection.run('ALTER TABLE click RENAME TO click_before')
  await connection.run(
    `CREATE TABLE click AS SELECT weight, name, 0 AS old, count, rank, clicked_at, import_id, url, query_id
     FROM click_before LIMIT 0`,
  )
  const row = {
    ...{ query_id: 1, import_id: 2, clicked_at: 3, url: 'u' },
    ...{ rank: 4, count: 5, weight: 6, name: 'n' },
  }
  await appendRows(connection, click, [row])
  expect(await rowsIn(click)).toEqual([row])
  await connection.run('ALTER TABLE click DROP COLUMN weight')
  await expect(appendRows(connection, click, [row])).rejects.toThrow(
    'the table click has no column weight',
  )
})
