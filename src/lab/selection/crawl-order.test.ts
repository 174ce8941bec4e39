import { expect, test } from 'vitest'
import { graphFacts } from '#policy/facts/graph-facts.test-kit.ts'
import { crawlOrder } from './crawl-order.ts'

test('candidates come as the base crawl went, once each, then those it never requested as they were found', () => {
  const facts = graphFacts(6, [], {
    candidates: Uint32Array.of(0, 1, 3, 4, 5),
    visits: Uint32Array.of(4, 2, 0, 4),
  })
  expect([...crawlOrder(facts)]).toEqual([4, 0, 1, 3, 5])
})
