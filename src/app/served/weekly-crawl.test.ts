import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { splitQueries } from '#lab/judging/query-split.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { WeeklyTruth } from '#lab/weeks/weekly-truth.ts'
import { seededRandom } from '#numeric/random.ts'
import { type CrawledWeek, WeeklyCrawls } from './weekly-crawl.ts'

const records = generateModelWeb({ seed: 3, pages: 500, weeks: 4 })
const archive = archiveOf(records)
const { queries } = records.workload!
const split = splitQueries(queries, 'log', seededRandom(1))
const truth = new WeeklyTruth(archive, queries, split.testWeights)
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function crawls(): WeeklyCrawls {
  const folder = mkdtempSync(join(tmpdir(), 'forager-weekly-'))
  folders.push(folder)
  const shares = { budgetShare: 0.06, startShare: 0.3 }
  return new WeeklyCrawls({ archive, truth, log: split.training, seed: 1, folder, ...shares })
}

const withoutTimes = (weeks: readonly CrawledWeek[]) => weeks.map(({ seconds: _, ...week }) => week)
const both = crawls()
const byLinks = await both.crawl('bfs')
const unified = await both.crawl('unified')

test('each policy goes on from the same first week', () => {
  expect(byLinks.weeks[0].qualityBefore).toBe(unified.weeks[0].qualityBefore)
  expect(byLinks.weeks[0].qualityAfter).not.toBe(unified.weeks[0].qualityAfter)
})

test.each([byLinks, unified])('each week keeps to its budget and to its manners', (run) => {
  expect(run.weeks.map(({ week }) => week)).toEqual([1, 2, 3])
  for (const { week, fetches, purposes, firsts, manners, births } of run.weeks) {
    expect(fetches).toBe(Math.round(0.06 * truth.fetchable[week]))
    expect(purposes.acquire + purposes.refresh + purposes.discover).toBe(fetches)
    expect(firsts).toBeLessThanOrEqual(fetches)
    expect(manners).toMatchObject({ mostAtOnce: 1, disallowed: 0, unasked: 0 })
    expect(manners.requests).toBeGreaterThan(fetches)
    expect(births.held).toBeLessThanOrEqual(births.known)
    expect(births.known).toBeLessThanOrEqual(births.born)
  }
  expect(run.weeks.at(-1)!.births.born).toBeGreaterThan(10)
  expect(run.weeks.at(-1)!.stale).toBeGreaterThan(0)
  expect(run.copies.quality()).toBe(run.weeks.at(-1)!.qualityAfter)
})

test('a policy for new pages alone fetches nothing twice, and knows more answers each week', () => {
  for (const { purposes, firsts, fetches, qualityBefore, qualityAfter } of byLinks.weeks) {
    expect(purposes).toEqual({ acquire: fetches, refresh: 0, discover: 0 })
    expect(firsts).toBe(fetches)
    expect(qualityAfter).toBeGreaterThan(qualityBefore)
    expect(qualityAfter).toBeLessThan(1)
  }
})

test('crawled again it all comes out the same', async () => {
  const again = await crawls().crawl('unified')
  expect(withoutTimes(again.weeks)).toEqual(withoutTimes(unified.weeks))
})
