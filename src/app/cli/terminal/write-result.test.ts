import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { UsageError } from '../../text/usage-error.ts'
import { mustBeWritable, mustBeWritableFolder } from './write-result.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

test('to look whether a file can be written leaves files as they are', () => {
  const [there, missing] = [join(dir, 'there'), join(dir, 'a', 'missing')]
  writeFileSync(there, 'kept')
  mustBeWritable('--out', there)
  mustBeWritable('--out', missing)
  expect(readFileSync(there, 'utf8')).toBe('kept')
  expect(existsSync(missing)).toBe(false)
})

test('a folder where a file is meant to be, and the other way round, is refused with the name of the flag', () => {
  const file = join(dir, 'file')
  writeFileSync(file, '')
  for (const complain of [
    () => mustBeWritable('--report', dir),
    () => mustBeWritable('--report', join(file, 'inside')),
    () => mustBeWritableFolder('--report', file),
  ])
    expect(complain).toThrow(UsageError)
  expect(() => mustBeWritable('--report', dir)).toThrow(
    /^--report: .* cannot be written \(EISDIR\)/,
  )
  mustBeWritableFolder('--figures', join(dir, 'new', 'folder'))
})
