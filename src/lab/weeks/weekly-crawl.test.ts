import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { seededRandom } from '#numeric/random.ts'
import { splitQueries } from '../judging/query-split.ts'
import { generateModelWeb } from '../model-web/generate.ts'
import { crawlWeekly } from './weekly-crawl.ts'
import { WeeklyTruth } from './weekly-truth.ts'

const records = generateModelWeb({ seed: 3, pages: 500, weeks: 4 })
const archive = archiveOf(records)
const { queries } = records.workload!
const split = splitQueries(queries, 'log', seededRandom(1))
const truth = WeeklyTruth.of(archive, queries, split.testWeights)
const setup = { archive, truth, log: split.training, seed: 1, budgetShare: 0.06, startShare: 0.3 }

const byLinks = await crawlWeekly('bfs', setup)
const unified = await crawlWeekly('unified', setup)

test('each policy goes on from the same first week', () => {
  expect(byLinks.weeks[0].qualityBefore).toBe(unified.weeks[0].qualityBefore)
  expect(byLinks.weeks[0].qualityAfter).not.toBe(unified.weeks[0].qualityAfter)
})

test('the first week ends when so many pages are held, whatever led nowhere', () => {
  expect(byLinks.held).toBeGreaterThanOrEqual(0.3 * truth.fetchable[0])
  expect(byLinks.held).toBeLessThan(0.35 * truth.fetchable[0])
})

test('single losses have a cause each, and the worst page is some of them', async () => {
  for (const { losses } of [byLinks, unified]) {
    const { unknown, unfetched, stale, gone, worstPage } = losses!
    expect(unknown + unfetched + stale + gone).toBeCloseTo(1)
    expect(unfetched).toBeGreaterThan(0)
    expect(worstPage).toBeGreaterThan(0)
    expect(worstPage).toBeLessThan(0.5)
  }
  // Who never looks again is behind in copies.
  const refreshing = await crawlWeekly('split:50/50/0:bfs,uniform,none', setup)
  expect(byLinks.losses!.stale).toBeGreaterThan(refreshing.losses!.stale)
})

test.each([byLinks, unified])('each week keeps to its budget', (run) => {
  expect(run.weeks.map(({ week }) => week)).toEqual([1, 2, 3])
  for (const { week, fetches, purposes, firsts, births } of run.weeks) {
    expect(fetches).toBe(Math.round(0.06 * truth.fetchable[week]))
    expect(purposes.acquire + purposes.refresh + purposes.discover).toBe(fetches)
    expect(firsts).toBeLessThanOrEqual(fetches)
    expect(births.held).toBeLessThanOrEqual(births.known)
    expect(births.known).toBeLessThanOrEqual(births.born)
  }
  expect(run.weeks.at(-1)!.births.born).toBeGreaterThan(10)
  expect(run.weeks.at(-1)!.stale).toBeGreaterThan(0)
  expect(run.copies.quality()).toBe(run.weeks.at(-1)!.qualityAfter)
})

test('a policy for new pages alone fetches no page twice, and knows more answers each week', () => {
  for (const { purposes, firsts, qualityBefore, qualityAfter } of byLinks.weeks) {
    expect(purposes.refresh).toBe(0)
    // What sites list is looked at again.
    expect(purposes.discover).toBeLessThan(purposes.acquire)
    expect(firsts).toBeGreaterThanOrEqual(purposes.acquire)
    expect(qualityAfter).toBeGreaterThan(qualityBefore)
    expect(qualityAfter).toBeLessThan(1)
  }
})

test.runIf(isThorough)('crawled again it all comes out the same', async () => {
  expect((await crawlWeekly('unified', setup)).weeks).toEqual(unified.weeks)
})
