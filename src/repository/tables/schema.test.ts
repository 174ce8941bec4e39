import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeEach, expect, test } from 'vitest'
import { askTables } from '../database/ask-tables.test-kit.ts'
import { openDatabase } from '../database/open-database.ts'
import { CrawlStore } from '../state/crawl-store.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { SCHEMA_VERSION } from './crawl-tables.ts'
import { FIRST_EDITION_VERSIONS, makeOldTables } from './first-edition.test-kit.ts'
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
const versions = Array.from({ length: FIRST_EDITION_VERSIONS }, (_, i) => i + 1)

test.each(versions)(
  'tables of version %i are made as the first edition made them',
  async (version) => {
    const { connection, close } = await openDatabase(join(dir, 'now'))
    await migrate(connection, dir, version)
    close()
    await makeOldTables(join(dir, 'then'), version)
    expect(await columnsIn(join(dir, 'now'))).toEqual(await columnsIn(join(dir, 'then')))
  },
)

test.each(versions)('a directory of version %i gets what it lacks, by name', async (version) => {
  for (const [folder, made] of [
    ['old', version],
    ['new', 0],
  ] as const) {
    if (made > 0) await makeOldTables(join(dir, folder), made)
    const { connection, close } = await openDatabase(join(dir, folder))
    await migrate(connection, dir)
    expect(await storedVersion(connection, dir)).toBe(SCHEMA_VERSION)
    close()
  }
  expect(await columnsIn(join(dir, 'old'))).toEqual(await columnsIn(join(dir, 'new')))
})

test('rows of an older directory get the value that a new column stands for', async () => {
  const row = (id: number, changed: boolean) =>
    `(${id}, 1, 0, 7, 'acquire', 1, 'page', 200, NULL, 1, 10, 3, ${changed}, 1, 0)`
  await makeOldTables(dir, 1, `INSERT INTO fetch_log VALUES ${row(0, true)}, ${row(1, false)}`)
  const store = await CrawlStore.open(dir)
  store.close()
  const sql = 'SELECT fresh, content_changed, realised_gain FROM fetch_log ORDER BY id'
  expect(await askTables(dir, sql)).toEqual([
    { fresh: true, content_changed: true, realised_gain: null },
    { fresh: false, content_changed: false, realised_gain: null },
  ])
})
