import { expect, test } from 'vitest'
import { heldQueryAnswers } from './held-query-answers.ts'
import { SimulatedCrawler } from './simulated-crawler.ts'
import { pageNamed, smallWorld } from './small-world.test-kit.ts'

const world = smallWorld(
  2,
  {
    home: [{ live: [0, 1], text: ['tea and many other things'], to: ['best', 'missing'] }],
    best: [{ live: [0, 1], text: ['tea'] }],
    missing: [{ live: [0, 1], text: ['tea'] }],
  },
  { tea: 1, 'green tea': 1 },
)

test('copies answer as an index would: the best first, by URL, with their scores', () => {
  const shares = { seen: Float64Array.of(1, 1), judging: Float64Array.of(0.5, 0.5) }
  const crawler = new SimulatedCrawler(world, shares)
  const home = crawler.visitPage(pageNamed(world, 'home'), 0).url
  const best = crawler.visitPage(pageNamed(world, 'best'), 0).url
  const asked = Uint32Array.of(1, 0)
  const answers = heldQueryAnswers(world, crawler.held, asked, crawler.urlOf)
  expect([...answers.kept]).toEqual([0, 2])
  expect([...answers.resultCounts]).toEqual([0, 2])
  const first = answers.depth
  expect([...answers.urls.subarray(first, first + 2)]).toEqual([best, home])
  expect(answers.scores[first]).toBeGreaterThan(answers.scores[first + 1])
  expect(answers.scores[first]).toBeLessThanOrEqual(answers.bounds[1])
  expect([...answers.lengths]).toEqual([2, 1])
  expect(answers.meanGain).toBeGreaterThan(0)
})
