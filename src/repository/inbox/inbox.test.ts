import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { toldInbox } from './told-inbox.ts'

const told = (page: number) => ({ url: `http://a.example/${page}`, by: 'indexnow' as const })

test('what is left stays until it is taken, also what comes in between', () => {
  const inbox = toldInbox(temporaryFolder())
  inbox.leave(told(1), told(2))
  expect(inbox.waiting()).toEqual([told(1), told(2)])
  inbox.leave(told(3))
  // A kill in between: nothing was noted as taken.
  expect(inbox.waiting()).toEqual([told(1), told(2)])
  expect(inbox.peek()).toEqual([told(1), told(2), told(3)])
  inbox.taken()
  expect(inbox.waiting()).toEqual([told(3)])
})

test('a line that was cut short takes no other with it', () => {
  const inbox = toldInbox(temporaryFolder())
  inbox.leave(told(1))
  appendFileSync(inbox.file, '{"url":"http://a.exa')
  inbox.leave(told(2))
  expect(inbox.waiting()).toEqual([told(1), told(2)])
})
