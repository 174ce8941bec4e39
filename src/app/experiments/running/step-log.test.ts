import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { StepLog } from './step-log.ts'

const folder = sharedFolder()

test('a run with the same identity takes up what finished, and another does not', () => {
  const file = join(folder, 'same.steps')
  new StepLog(file, 'words', false).add('first', { rows: [1] })
  const again = new StepLog(file, 'words', false)
  expect(again.has('first')).toBe(true)
  expect(again.get('first')).toEqual({ rows: [1] })
  expect(new StepLog(file, 'other words', false).size).toBe(0)
  expect(new StepLog(file, 'words', false).size).toBe(0)
})

test('a line torn by a kill is not taken up, and the next line is whole', () => {
  const file = join(folder, 'torn.steps')
  new StepLog(file, 'words', false).add('first', 1)
  appendFileSync(file, '{"step":"second","fo')
  const again = new StepLog(file, 'words', false)
  expect(again.size).toBe(1)
  again.add('second', 2)
  expect(new StepLog(file, 'words', false).get('second')).toBe(2)
  expect(readFileSync(file, 'utf8').endsWith('}\n')).toBe(true)
})

test('a run that finds nothing leaves no file', () => {
  const file = join(folder, 'refused.steps')
  expect(new StepLog(file, 'words', false).size).toBe(0)
  expect(existsSync(file)).toBe(false)
})

test('a fresh run forgets', () => {
  const file = join(folder, 'fresh.steps')
  new StepLog(file, 'words', false).add('first', 1)
  expect(new StepLog(file, 'words', true).size).toBe(0)
})

test('a file that is no step log is started anew', () => {
  const file = join(folder, 'odd.steps')
  appendFileSync(file, 'hello\n')
  const log = new StepLog(file, 'words', false)
  log.add('first', 1)
  expect(new StepLog(file, 'words', false).size).toBe(1)
})
