import { expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { seededRandom } from '#numeric/random.ts'
import { checkBudgetPolicy } from './budget-policies.ts'
import { meanQuality } from './crawl-measures.ts'
import { learnAtStart } from './page-values.ts'
import { queryShares } from './query-shares.ts'
import { simulateCrawl } from './simulate-crawl.ts'
import { SimulatedCrawler } from './simulated-crawler.ts'
import { modelWorld } from './small-world.test-kit.ts'
import { startingPages } from './starting-pages.ts'

const world = modelWorld(7, 500, 10)
const shares = queryShares(world, 'repeated', seededRandom(1))!
const start = startingPages(world, 0.3, seededRandom(2))
const model = (() => {
  const crawler = new SimulatedCrawler(world, shares)
  for (const page of start) crawler.visitPage(page, 0)
  return learnAtStart(crawler, shares, 1)
})()
const run = (policy: string, percent = 5) =>
  simulateCrawl(world, { policy, percent, shares, startingPages: start, model, seed: 1 })
const POLICIES = ['unified', 'split:70/20/10', 'bfs+uniform', 'pagerank+split', 'clairvoyant']

test('every policy spends its budget and no more, and quality is a share', () => {
  const knowing = ['contents', 'values', 'losses', 'yields'].map((term) => `unified+${term}`)
  for (const policy of [...POLICIES, ...knowing]) {
    for (const { week, before, after, fetches } of run(policy).weeks) {
      const spent = fetches.acquire + fetches.refresh + fetches.discover
      expect(spent).toBe(Math.round(world.liveCounts[week] * 0.05))
      for (const quality of [before, after]) {
        expect(quality).toBeGreaterThan(0)
        expect(quality).toBeLessThanOrEqual(1 + 1e-9)
      }
    }
  }
})

test('nobody beats the clairvoyant, and the same crawl comes out again', () => {
  const qualities = POLICIES.map((policy) => meanQuality(run(policy).weeks))
  expect(Math.max(...qualities)).toBe(qualities[POLICIES.indexOf('clairvoyant')])
  expect(meanQuality(run('unified').weeks)).toBe(qualities[0])
})

test('a crawler that may fetch everything holds everything', () => {
  const { weeks, heldAt } = run('bfs+uniform', 100)
  expect(weeks.at(-1)!.after).toBeGreaterThan(0.99)
  expect(heldAt.filter((week, page) => week < 0 && world.bornAt[page] === 0).length).toBeLessThan(
    0.02 * world.liveCounts[0],
  )
})

test('values of new pages are estimated, and go with the truth', () => {
  const { values } = run('unified')
  expect(values.predicted.length).toBe(values.realised.length)
  expect(values.predicted.length).toBeGreaterThan(10)
  expect(values.correlations[0]).toBeGreaterThan(0.1)
})

test('who knows what pages say does better, who knows what will be asked better still', () => {
  const [estimated, byContents, byValues] = ['unified', 'unified+contents', 'unified+values'].map(
    (policy) => meanQuality(run(policy).weeks),
  )
  expect(byContents).toBeGreaterThan(estimated)
  expect(byValues).toBeGreaterThan(byContents)
})

test('a customary crawler is the split it comes to', () => {
  const { weeks } = run('bfs+uniform')
  expect(weeks).toEqual(run('split:50/50/0:bfs,uniform,none').weeks)
  expect(weeks).not.toEqual(run('unified').weeks)
})

test('only one budget has a price', () => {
  expect(run('unified').weeks.every(({ price }) => price! >= 0)).toBe(true)
  expect(run('split:70/20/10').weeks.every(({ price }) => price === undefined)).toBe(true)
})

test('a wrong name is told from a right one', () => {
  for (const name of ['unified', 'clairvoyant', 'split:1/2/3', 'split:1/1/0:pagerank,uniform,none'])
    expect(() => checkBudgetPolicy(name)).not.toThrow()
  for (const name of ['unify', 'split:1/2', 'split:1/1/1:nobody,quality,yield'])
    expect(() => checkBudgetPolicy(name)).toThrow(SettingError)
})
