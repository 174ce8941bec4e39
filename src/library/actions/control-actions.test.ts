import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { doneActions } from './control-actions.ts'

test('a note of an action that was cut short, as by a full disk, hides no other', () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-actions-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const lines = ['{"at":1,"kind":"pause"}', '{"at":2,"ki', '{"at":3,"kind":"resume"}']
  writeFileSync(join(dir, 'control-log.jsonl'), `${lines.join('\n')}\n`)
  expect(doneActions(dir, 10).map(({ at }) => at)).toEqual([3, 1])
})
