import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { exposedFiles } from './exposed-files.ts'

function fileWith(mode: number): string {
  const folder = temporaryFolder()
  const file = join(folder, 'secret')
  writeFileSync(file, 'x')
  chmodSync(file, mode)
  return file
}

test.each([
  [0o600, false],
  [0o400, false],
  [0o620, false],
  [0o640, true],
  [0o604, true],
  [0o644, true],
])('a file of mode %o is exposed: %s', (mode, isExposed) => {
  const file = fileWith(mode)
  const expected = isExposed ? [file] : []
  const match = 'a.example'
  expect(exposedFiles({ identityKey: file }, undefined)).toEqual(expected)
  expect(exposedFiles({ sites: [{ match, cookies: { a: { file } } }] }, undefined)).toEqual(
    expected,
  )
  const basic = { user: { file }, password: { file } }
  expect(exposedFiles({ sites: [{ match, credentials: { basic } }] }, undefined)).toEqual(expected)
  expect(exposedFiles({ sites: [{ match, headers: { 'X-Key': 'text' } }] }, file)).toEqual(expected)
})

test('settings that only say where secrets are may be read by anybody, and a file that is not there is no matter', () => {
  const file = fileWith(0o644)
  const bearer = { env: 'TOKEN' }
  expect(exposedFiles({ sites: [{ match: 'a.example', credentials: { bearer } }] }, file)).toEqual(
    [],
  )
  const basic = { user: 'crawler', password: bearer }
  expect(exposedFiles({ sites: [{ match: 'a.example', credentials: { basic } }] }, file)).toEqual(
    [],
  )
  expect(exposedFiles({ identityKey: `${file}-not-there` }, file)).toEqual([])
})
