import { expect, test } from 'vitest'
import type { Visit } from './host-manners.ts'
import { OpenVisits } from './open-visits.ts'

const visitTo = (host: string): Visit => ({ host, groups: [] })

test('requests that have become slow keep no others waiting', () => {
  const open = new OpenVisits()
  for (const host of ['a', 'b']) open.add(visitTo(host), 10)
  expect(open.hasRoom(2, 10.25)).toBe(false)
  expect(open.slowIn(2, 10.25)).toBe(0.25)
  expect(open.hasRoom(2, 12)).toBe(true)
  expect(open.slowIn(2, 12)).toBeUndefined()
  expect(open.size).toBe(2)
})

test('there are no more slow ones than three times as many as may be sent at once', () => {
  const open = new OpenVisits()
  const visits = Array.from({ length: 8 }, (_, i) => visitTo(`h${i}`))
  for (const visit of visits) open.add(visit, 10)
  expect(open.hasRoom(2, 100)).toBe(false)
  expect(open.slowIn(2, 100)).toBeUndefined()
  open.delete(visits[0])
  expect(open.hasRoom(2, 100)).toBe(true)
  open.add(visitTo('last'), 100)
  expect(open.hasRoom(2, 100)).toBe(false)
  expect(open.size).toBe(8)
})
