import fc from 'fast-check'
import { expect, test } from 'vitest'
import { definePlainTable } from '../database/define-table.ts'
import { countRows } from '../database/named-rows.ts'
import {
  allRows,
  openInMemory,
  readWhatIsNew,
  readWhereTheyLie,
  sqlDouble,
} from './tables-in-memory.ts'

test('a number in SQL is the number it was, to the last bit', async () => {
  using tables = await openInMemory()
  const read = async (value: number) => {
    const reader = await tables.connection.runAndReadAll(`SELECT ${sqlDouble(value)}`)
    return reader.getRows()[0][0]
  }
  // The bid of a last fetch that was not planned, as it was compared with another number than its own.
  expect(await read(0.012585930329763675)).toBe(0.012585930329763675)
  await fc.assert(
    fc.asyncProperty(fc.double({ noNaN: true, min: 0 }), async (value) => {
      expect(await read(value)).toBe(value)
    }),
    { numRuns: 200 },
  )
})

test('rows of a table that had no file yet are there once when all of it is written', async () => {
  using tables = await openInMemory()
  const { connection } = tables
  const table = definePlainTable('thing', { id: 'integer' })
  await readWhereTheyLie(connection, [table], () => [])
  await readWhatIsNew(connection)
  await connection.run('INSERT INTO thing VALUES (7), (8)')
  expect(await countRows(connection, allRows(table))).toBe(2)
})
