import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeEach, expect, test } from 'vitest'
import { askTables } from '../database/ask-tables.test-kit.ts'
import { openDatabase } from '../database/open-database.ts'
import { CrawlStore } from '../state/crawl-store.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { FIRST_VERSION, SCHEMA_VERSION } from './crawl-tables.ts'
import { makeOldTables } from './first-edition.test-kit.ts'
import { migrate, storedVersion } from './schema.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

test.each([
  ['CREATE TABLE url (x INTEGER)'],
  ['CREATE TABLE meta (name VARCHAR)'],
  ['CREATE TABLE meta (key VARCHAR, value VARCHAR); CREATE TABLE sales (x INTEGER)'],
])("another program's database is left alone: %s", async (sql) => {
  const instance = await DuckDBInstance.create(join(dir, 'state.duckdb'))
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
  await expect(CrawlStore.open(dir)).rejects.toThrow(/Forager did not make/)
})

const columnsIn = (folder: string) =>
  askTables(
    folder,
    `SELECT table_name AS "table", column_name AS "column", data_type AS type
     FROM information_schema.columns ORDER BY ALL`,
  )

test('its first version is what 0.1.0 made', async () => {
  const { connection, close } = await openDatabase(join(dir, 'now'))
  await migrate(connection, dir, FIRST_VERSION)
  close()
  await makeOldTables(join(dir, 'then'))
  expect(await columnsIn(join(dir, 'now'))).toEqual(await columnsIn(join(dir, 'then')))
})

test('a directory of 0.1.0 gets what it lacks, by name', async () => {
  await makeOldTables(join(dir, 'old'))
  for (const folder of ['old', 'new']) {
    const { connection, close } = await openDatabase(join(dir, folder))
    await migrate(connection, dir)
    expect(await storedVersion(connection, dir)).toBe(SCHEMA_VERSION)
    close()
  }
  expect(await columnsIn(join(dir, 'old'))).toEqual(await columnsIn(join(dir, 'new')))
})
