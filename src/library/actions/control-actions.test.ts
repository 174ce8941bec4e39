import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { doneActions } from './control-actions.ts'

test('a note of an action that was cut short, as by a full disk, hides no other', () => {
  const dir = temporaryFolder()
  const lines = ['{"at":1,"kind":"pause"}', '{"at":2,"ki', '{"at":3,"kind":"resume"}']
  writeFileSync(join(dir, 'control-log.jsonl'), `${lines.join('\n')}\n`)
  expect(doneActions(dir, 10).map(({ at }) => at)).toEqual([3, 1])
})
