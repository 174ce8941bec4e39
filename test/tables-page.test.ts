import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'

test('docs/reference/tables.md names every column that a crawl has, and no other', async () => {
  const page = readFileSync('docs/reference/tables.md', 'utf8')
  expect(columnsNamedIn(page)).toEqual(await columnsOfNewCrawl())
})

test('columns are read from headings and from full names', () => {
  const page =
    '### `a` and `b`\n\n| column | meaning |\n|---|---|\n| `b.x` | |\n\n### `c`\n\n| `y`, `z` | `no` |\n'
  expect(columnsNamedIn(page)).toEqual(['b.x', 'c.y', 'c.z'])
})

/** `table.column` of every first cell; a cell without a table belongs to the heading above. */
function columnsNamedIn(page: string): string[] {
  const columns: string[] = []
  let table = ''
  for (const line of page.split('\n')) {
    table = /^### `(\w+)`$/.exec(line)?.[1] ?? table
    const [, cell = ''] = /^\| (`[^|]*`) \|/.exec(line) ?? []
    for (const [, name] of cell.matchAll(/`([\w.]+)`/g))
      columns.push(name.includes('.') ? name : `${table}.${name}`)
  }
  return columns.sort()
}

async function columnsOfNewCrawl(): Promise<string[]> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'queries.csv'), 'hiking trails,3\n')
  const dir = join(folder, 'crawl')
  const made = await forager(
    ...['queries', 'import', join(folder, 'queries.csv'), '--format', 'csv', '--dir', dir],
  )
  expect(made.code).toBe(0)
  const instance = await DuckDBInstance.create(join(dir, 'state.duckdb'), {
    access_mode: 'READ_ONLY',
  })
  const connection = await instance.connect()
  const rows = await connection.runAndReadAll(
    "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'main'",
  )
  connection.closeSync()
  instance.closeSync()
  return rows
    .getRows()
    .map(([name]) => String(name))
    .sort()
}
