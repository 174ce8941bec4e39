import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../database/open-database.ts'
import { appendLogged, rowsForLog } from './logged-rows.ts'
import { QUERY_TABLES } from './query-tables.ts'
import { migrate } from './schema.ts'

/** Lines as logs of the first edition have them, and the columns that their values belong to. */
const LOGGED: Record<string, Record<string, unknown>> = {
  query_import: {
    ...{ id: 0, format: 'csv', file: '/q.csv', sha256: 'ab', bytes: 1, imported_at: 2 },
    ...{ half_life: 'Infinity', options: '{}', lines: 3, skipped: 4 },
  },
  query: { id: 5, text: '6' },
  asked: { query_id: 5, import_id: 0, asked_at: 1.5, count: 7, name: 'n' },
  impression: {
    ...{ query_id: 5, import_id: 0, seen_at: 1.5, url: 'u', rank: 8, score: null, name: null },
  },
  click: {
    ...{ query_id: 5, import_id: 0, clicked_at: null, url: 'u', rank: 9, count: 10, weight: 11 },
    name: 'n',
  },
  judgment: { query_id: 5, import_id: 0, url: 'u', grade: 12 },
}

test('rows of a log of the first edition find their columns, and are logged as they were', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-logged-'))
  const { connection, close } = await openDatabase(dir)
  onTestFinished(() => {
    close()
    rmSync(dir, { recursive: true })
  })
  await migrate(connection, dir)
  for (const table of QUERY_TABLES) {
    const logged = LOGGED[table.name]
    await appendLogged(connection, table.name, [Object.values(logged)])
    const reader = await connection.runAndReadAll(`SELECT * FROM ${table.name}`)
    const stored = Object.entries(reader.getRowObjectsJson()[0] ?? {})
    const texts = stored.map(([name, value]) => [name, value === null ? null : String(value)])
    const expected = Object.entries(logged).map(([name, value]) => [
      ...[name, value === null ? null : String(value)],
    ])
    expect(Object.fromEntries(texts)).toEqual(Object.fromEntries(expected))
    const again = await Array.fromAsync(rowsForLog(connection, table, 'true'))
    expect(again).toEqual([[table.name, ...Object.values(logged)]])
  }
  await expect(appendLogged(connection, 'sales', [[1]])).rejects.toThrow(/sales, which is unknown/)
})
