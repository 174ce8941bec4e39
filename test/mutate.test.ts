import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { EQUIVALENT } from '../scripts/mutate/equivalent.ts'

const ROOT = join(import.meta.dirname, '..')
const mutate = (...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'scripts/mutate/main.ts'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })

test('mistakes that change nothing are those of files that are there', () => {
  expect(EQUIVALENT.filter(({ where }) => !existsSync(join(ROOT, where)))).toEqual([])
})

test.runIf(isThorough)('small mistakes in a formula are made, and noticed by its tests', () => {
  const { status, stdout } = mutate('src/lab/refresh/period-refresher.ts')
  expect(stdout).toMatch(/period-refresher\.ts: [1-9]\d* mutations, [1-9]\d* test files/)
  expect(stdout).toMatch(/ 0 survive\n$/)
  expect(status).toBe(0)
})

test.runIf(isThorough)('whoever names no file is told how', () => {
  const { status, stderr } = mutate()
  expect(stderr).toContain('npm run mutate --')
  expect(status).toBe(2)
})
