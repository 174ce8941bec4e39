import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CrawlStore } from '../state/crawl-store.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'forager-schema-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
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
