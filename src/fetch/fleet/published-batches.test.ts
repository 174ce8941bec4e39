import { expect, test } from 'vitest'
import { PublishedBatches } from './published-batches.ts'

test('a lease that was lost before anything was opened is not under way for ever', () => {
  const batches = new PublishedBatches()
  batches.add({ epoch: 3, rank: 0 }, 'a.test', [7, 8], 'queued')
  batches.update(
    [{ epoch: 3, rank: 0, state: 'leased', opened: 0, done: [false, false] }],
    false,
    () => false,
  )
  expect([...batches.underWay()]).toEqual([7, 8])
  // It may be back in the queue, and somebody else may have it in a moment.
  batches.update([], true, () => false)
  expect([...batches.underWay()]).toEqual([7, 8])
  batches.update([], false, (epoch) => epoch < 4)
  expect([...batches.underWay()]).toEqual([])
})
