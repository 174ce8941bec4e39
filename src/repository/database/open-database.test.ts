import { existsSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { sharedFolder } from '../temporary-folder.test-kit.ts'
import { columnsFrom, defineTable } from './define-table.ts'
import { explainOpenFailure, openDatabase } from './open-database.ts'
import { readColumns } from './read-columns.ts'

const folder = sharedFolder()

test('a file where the directory should be is called one', async () => {
  const file = join(folder, 'letter.txt')
  writeFileSync(file, 'dear')
  for (const dir of [file, join(file, 'crawl')])
    await expect(openDatabase(dir)).rejects.toThrow(
      new SettingError('dir', `${dir} is a file, or lies in one: choose another {dir}`),
    )
})

test('a link to a disk that is not there is named, and stays', async () => {
  const dir = join(folder, 'link')
  symlinkSync(join(folder, 'nowhere'), dir)
  await expect(openDatabase(dir)).rejects.toThrow(/^cannot open .*link.*ENOENT.*choose another dir/)
  expect(readlinkSync(dir)).toBe(join(folder, 'nowhere'))
})

test('a path that DuckDB would cut in two is refused', async () => {
  const dir = join(folder, 'a?b')
  await expect(openDatabase(dir)).rejects.toThrow(
    new SettingError('dir', `${dir}: DuckDB opens no file by a path with ?; choose another {dir}`),
  )
  expect(existsSync(dir)).toBe(false)
})

test('a database that is none is named', async () => {
  writeFileSync(join(folder, 'state.duckdb'), 'dear')
  await expect(openDatabase(folder)).rejects.toThrow(
    /^.*state\.duckdb is damaged \(.*not a valid.*\)$/,
  )
})

test('tables that are damaged are not said to be in use', async () => {
  const dir = join(folder, 'blocks')
  const { connection, close } = await openDatabase(dir)
  await connection.run('CREATE TABLE numbers AS SELECT range AS number FROM range(100000)')
  close()
  const path = join(dir, 'state.duckdb')
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xaa, 20, 84))
  await expect(openDatabase(dir)).rejects.toThrow(/^.*state\.duckdb is damaged \(.*checksum.*\)$/)
})

test('damage that is met only when something is read is named in the same way', async () => {
  const dir = join(folder, 'late')
  const { connection, close } = await openDatabase(dir)
  await connection.run('CREATE TABLE texts AS SELECT md5(range::VARCHAR) AS text FROM range(50000)')
  close()
  const path = join(dir, 'state.duckdb')
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xaa, 400_000, 400_004))
  const opened = await openDatabase(dir)
  const named = new RegExp(`^${path} is damaged \\(.*checksum.*\\)$`)
  const sql = 'SELECT text FROM texts'
  await expect(opened.connection.runAndReadAll(sql)).rejects.toThrow(named)
  const texts = defineTable('texts', { text: columnsFrom<string>().text((text) => text) })
  const read = readColumns(opened.connection, texts, ['text'])
  await expect(Array.fromAsync(read)).rejects.toThrow(named)
  opened.close()
})

test.each(['EACCES: permission denied, mkdir', 'IO Error: Cannot open file: Permission denied'])(
  'a directory that may not be written needs permission, not repair: %s',
  (message) => {
    expect(explainOpenFailure('crawl', 'crawl/state.duckdb', new Error(message))).toEqual(
      new SettingError(
        'dir',
        'no permission to write crawl/state.duckdb: make it writable, or choose another {dir}',
      ),
    )
  },
)

test('new tables are made of small blocks, as each column that grows holds one in memory', async () => {
  const { connection, discard } = await openDatabase(join(folder, 'small-blocks'))
  const reader = await connection.runAndReadAll('PRAGMA database_size')
  expect(reader.getRowObjectsJson()[0].block_size).toBe('65536')
  discard()
})
