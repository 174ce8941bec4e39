import { expect, test } from 'vitest'
import * as times from './fleet-worker-times.ts'
import { LeaseWishes } from './lease-wishes.ts'

test('a worker that has all the domains it may have wants some more where it has places, and nobody else can be', () => {
  const wishes = new LeaseWishes()
  expect(wishes.wish(64, 0, 0)).toMatchObject({ most: times.ASK_AT_ONCE, onlyHere: false })
  expect(wishes.wish(64, 60, 0)).toMatchObject({ most: 4, onlyHere: false })
  expect(wishes.wish(64, 64, 0)).toMatchObject({ most: times.ASK_AT_ONCE, onlyHere: true })
  expect(wishes.wish(64, 64 * times.MOST_HERE, 0)).toBeUndefined()
})

test('with a report that ends many leases, as many are asked for', () => {
  const ending = 2 * times.ASK_AT_ONCE
  expect(new LeaseWishes().wish(64, 64, 0, { ending })).toMatchObject({
    most: ending,
    onlyHere: false,
  })
})

test('a plan that had no next batch of a domain is not asked for it again by reports, the next plan is', () => {
  const wishes = new LeaseWishes()
  const ahead = new Map([['a.example', 3]])
  const more = new Map([...ahead, ['b.example', 9] as const])
  const newerThan = (domains: typeof ahead) =>
    wishes.wish(64, 64 * times.MOST_HERE, 1, { ahead: domains })?.newerThan
  wishes.heard(7, 0)
  wishes.took([], { most: 1, ahead }, 0, true)
  expect(newerThan(ahead)).toBe(7)
  expect(newerThan(more)).toBe(-1)
  wishes.took([], { most: 2, ahead: more }, 0, true)
  expect(newerThan(ahead)).toBe(7)
  wishes.heard(8, 0)
  expect(newerThan(ahead)).toBe(-1)
})

test('the next batches of domains that it has come on top of others', () => {
  const ahead = new Map([
    ['a.example', 3],
    ['b.example', 9],
  ])
  const none = { most: 2, newerThan: -1, ahead }
  expect(new LeaseWishes().wish(64, 64 * times.MOST_HERE, 0, { ahead })).toMatchObject(none)
})
