import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'
import { temporaryFolder } from './temporary-folder.test-kit.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

test('a folder is made with those that it lies in, and may be there already', () => {
  const path = join(dir, 'a', 'b', 'c')
  makeFolder(path, 0o700)
  makeFolder(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  symlinkSync(path, join(dir, 'link'))
  makeFolder(join(dir, 'link', 'd'))
  expect(existsSync(join(path, 'd'))).toBe(true)
})

test('a file in its way is told', () => {
  writeFileSync(join(dir, 'file'), '')
  expect(() => makeFolder(join(dir, 'file'))).toThrow(/EEXIST/)
  expect(() => makeFolder(join(dir, 'file', 'a', 'b'))).toThrow(/ENOTDIR/)
  symlinkSync(join(dir, 'nowhere'), join(dir, 'dangling'))
  expect(() => makeFolder(join(dir, 'dangling'))).toThrow(/ENOENT/)
})

test.runIf(process.platform === 'linux')('where none can be made, that is told too', () => {
  for (const path of ['/proc/forager', '/proc/forager/a/b', '/proc/self/fd/a'])
    expect(() => makeFolder(path), path).toThrow(/ENOENT/)
})
