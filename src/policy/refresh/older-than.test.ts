import { expect, test } from 'vitest'
import { someFacts } from '../facts/facts.ts'
import { olderThan, oldestInPlan } from './older-than.ts'

test('copies older than the limit are wanted again, the oldest most', () => {
  const facts = { pages: Uint32Array.of(3, 5, 9), ages: Float64Array.of(50, 200, 101) }
  const { purpose, urls, gains, why } = olderThan(() => 100).bids(someFacts(facts))
  expect(purpose).toBe('refresh')
  expect([...urls]).toEqual([5, 9])
  expect(gains[0]).toBeGreaterThan(gains[1])
  expect(why(0)).toBe('the copy is 0.0 days old')
})

test('half a plan is for the oldest copies, and the other half for what is best', () => {
  const facts = { pages: Uint32Array.of(3, 5, 9, 11), ages: Float64Array.of(50, 200, 101, 300) }
  const bids = olderThan(() => 10).bids(someFacts(facts))
  const inPlan = oldestInPlan(bids, 3)
  expect([...inPlan.urls]).toEqual([11, 5])
  expect(inPlan.why(1)).toBe(bids.why(1))
  expect([...inPlan.gains]).toEqual([bids.gains[3], bids.gains[1]])
  expect(oldestInPlan(bids, 8)).toBe(bids)
})
