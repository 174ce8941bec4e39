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

test('an answer to what was never sent is open until it is read', () => {
  const open = new OpenRequests()
  open.answer(refused(1))
  expect([open.has(1), open.isEmpty]).toEqual([true, false])
  open.readUpTo(1)
  expect([open.has(1), open.isEmpty]).toEqual([false, true])
})

test('a request is under way until its outcome is read, the oldest outcome first', () => {
  const open = new OpenRequests()
  for (const id of [1, 2, 3]) open.depart(id)
  open.answer(gone(2, 20))
  open.answer(gone(1, 10))
  const has = () => [1, 2, 3].filter((id) => open.has(id))
  expect(has()).toEqual([1, 2, 3])
  open.readUpTo(1)
  expect(has()).toEqual([1, 3])
  open.readUpTo(2)
  expect([has(), open.isEmpty]).toEqual([[3], false])
})

const exchange = { requestHead: '', responseHead: '', body: new Uint8Array(1 << 20), startedAt: 0 }
const withBody = (id: number): FetchOutcome => ({ ...gone(id), exchange })

test.each([
  ['4,096 outcomes', 4_096, gone],
  ['8 MiB', 8, withBody],
])('%s unread are too many, until one is read', (_, count, outcomeOf) => {
  const open = new OpenRequests()
  for (let id = 0; id < count; id++) {
    expect(open.isFull).toBe(false)
    open.answer(outcomeOf(id))
  }
  expect(open.isFull).toBe(true)
  open.readUpTo(1)
  expect(open.isFull).toBe(false)
})

test('bytes that went over the wire and are kept elsewhere are not in memory', () => {
  const open = new OpenRequests()
  for (let id = 0; id < 100; id++) open.answer(gone(id, 1 << 20))
  expect(open.isFull).toBe(false)
})
