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
  open.allow(2, 0)
  open.depart(1)
  open.depart(2)
  open.answer(refused(1))
  open.answer(gone(2))
  expect(open.sendsLeft).toBe(0)
  open.readUpTo(1)
  expect(open.sendsLeft).toBe(1)
  open.readUpTo(2)
  expect(open.sendsLeft).toBe(1)
})

test('what was sent before who allows sends heard of it is among them', () => {
  const open = new OpenRequests()
  open.allow(3, 0)
  for (const id of [1, 2, 3]) open.depart(id)
  open.allow(3, 1)
  expect(open.sendsLeft).toBe(1)
  open.allow(1, 1)
  expect(open.sendsLeft).toBe(-1)
})

test('an answer to what was never sent uses no send and gives none back', () => {
  const open = new OpenRequests()
  open.allow(1, 0)
  open.answer(refused(1))
  expect([open.has(1), open.isEmpty]).toEqual([true, false])
  open.readUpTo(1)
  expect([open.has(1), open.sendsLeft, open.isEmpty]).toEqual([false, 1, true])
})

test('a request is under way until its outcome is read, the oldest outcome first', () => {
  const open = new OpenRequests()
  for (const id of [1, 2, 3]) open.depart(id)
  open.answer(gone(2, 20))
  open.answer(gone(1, 10))
  const has = () => [1, 2, 3].filter((id) => open.has(id))
  expect(has()).toEqual([1, 2, 3])
  open.readUpTo(1)
  expect([has(), open.takeUncounted(), open.takeUncounted()]).toEqual([[1, 3], 20, 0])
  open.readUpTo(2)
  expect([has(), open.takeUncounted(), open.isEmpty]).toEqual([[3], 10, false])
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
  open.readUpTo(1)
  expect(open.isFull).toBe(false)
})
