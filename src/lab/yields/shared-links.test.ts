import { expect, test } from 'vitest'
import { SharedLinks } from './shared-links.ts'

test('all is expected to be there until it does not come', () => {
  const shared = new SharedLinks()
  expect(shared.share).toBe(1)
  for (let visit = 0; visit < 10; visit++) shared.observe(2, 0)
  expect(shared.share).toBeLessThan(0.05)
})

test('where it comes, it goes on to be expected, and no more than all of it', () => {
  const shared = new SharedLinks()
  for (let visit = 0; visit < 10; visit++) shared.observe(2, 5)
  expect(shared.share).toBe(1)
})

test('what held long ago is forgotten', () => {
  const shared = new SharedLinks()
  for (let visit = 0; visit < 1_000; visit++) shared.observe(2, 0)
  for (let visit = 0; visit < 300; visit++) shared.observe(2, 2)
  expect(shared.share).toBeGreaterThan(0.8)
})
