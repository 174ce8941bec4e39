import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { folderUntilExit } from './folder-until-exit.ts'

const source = pathToFileURL(join(import.meta.dirname, 'folder-until-exit.ts')).href

/** A program that makes two such folders, says where they are and then does something. */
function programThen(does: string) {
  const script = `
    import { folderUntilExit } from ${JSON.stringify(source)}
    console.log(folderUntilExit('forager-a-') + ' ' + folderUntilExit('forager-b-'))
    ${does}`
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

test.each([
  ['Ctrl-C', 'SIGINT', 130],
  ['a polite kill', 'SIGTERM', 143],
] as const)('folders are gone after %s', async (_, signal, code) => {
  const child = programThen('setInterval(() => {}, 1000)')
  const ended = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  const folders = String(line).trim().split(' ')
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, true])
  child.kill(signal)
  expect(await ended).toEqual([code, null])
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false])
})

test('folders are gone after a program that ends by itself', async () => {
  const child = programThen('')
  const ended = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  await ended
  for (const folder of String(line).trim().split(' ')) expect(existsSync(folder)).toBe(false)
})

test('where no temporary folder can be made, one is told how to name another place', () => {
  vi.stubEnv('TMPDIR', '/no/such/folder')
  expect(() => folderUntilExit('forager-c-')).toThrow(
    new SettingError(
      'TMPDIR',
      'no temporary folder can be made in /no/such/folder (ENOENT): let TMPDIR name a folder that can be written',
    ),
  )
  vi.unstubAllEnvs()
})
