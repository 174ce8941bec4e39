import { expect, test } from 'vitest'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { OpenRequests } from './open-requests.ts'

const gone = (id: number, bytes = 0): FetchOutcome => ({
  ...{ id, url: `https://a.example/${id}`, at: 0, ms: 0, kind: 'gone', status: 404, bytes },
})
const refused = (id: number): FetchOutcome => ({
  ...{ id, url: `https://a.example/${id}`, at: 0, ms: 0 },
  ...{ kind: 'failed', reason: 'connection refused', sent: false },
})

test('a send is used when a request departs, and given back when that is read to have cost nothing', () => {
  const open = new OpenRequests()
  open.sendsLeft = 2
  open.depart(1)
  open.depart(2)
  open.answer(refused(1))
  open.answer(gone(2))
  expect(open.sendsLeft).toBe(0)
  open.take()
  expect(open.sendsLeft).toBe(1)
  open.take()
  expect(open.sendsLeft).toBe(1)
})

test('an answer to what was never sent uses no send and gives none back', () => {
  const open = new OpenRequests()
  open.sendsLeft = 1
  open.answer(refused(1))
  expect([open.has(1), open.sent, open.isEmpty]).toEqual([true, [], false])
  expect(open.take()).toEqual(refused(1))
  expect([open.has(1), open.sendsLeft, open.isEmpty]).toEqual([false, 1, true])
})

test('a request is under way until its outcome is read, the oldest outcome first', () => {
  const open = new OpenRequests()
  for (const id of [1, 2, 3]) open.depart(id)
  open.answer(gone(2))
  open.answer(gone(1))
  expect(open.sent).toEqual([1, 2, 3])
  expect([open.take()?.id, open.take()?.id, open.take()]).toEqual([2, 1, undefined])
  expect([open.sent, open.has(2), open.has(3)]).toEqual([[3], false, true])
})

test.each([
  ['4,096 outcomes', 4_096, 1],
  ['64 MiB', 64, 1 << 20],
])('%s unread are too many, until one is read', (_, count, bytes) => {
  const open = new OpenRequests()
  for (let id = 0; id < count; id++) {
    expect(open.isFull).toBe(false)
    open.answer(gone(id, bytes))
  }
  expect(open.isFull).toBe(true)
  open.take()
  expect(open.isFull).toBe(false)
})
