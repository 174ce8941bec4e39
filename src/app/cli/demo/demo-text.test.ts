import { expect, test } from 'vitest'
import type { CrawledWeek } from '#lab/weeks/weekly-crawl.ts'
import { demoReport } from './demo-report.ts'
import type { DemoWeeks } from './demo-weeks.ts'
import { weeksText } from './demo-weeks-text.ts'

const manners = { requests: 10, mostAtOnce: 1, disallowed: 0, unasked: 0 }
const births = { born: 4, known: 2, held: 1, weeksUnknown: 1, weeksUnheld: 1 }

function crawled(policy: string, ...qualities: number[]): DemoWeeks {
  const weeks = qualities.map(
    (quality, i): CrawledWeek => ({
      ...{ week: i + 1, quality, qualityBefore: quality, qualityAfter: quality },
      ...{ fetches: 10, purposes: { acquire: 5, refresh: 3, discover: 2 }, firsts: 5 },
      ...{ held: 20, stale: 2, births, manners, seconds: 1 },
    }),
  )
  return { policy, weeks }
}

const found = [
  crawled('bfs', 0.5, 0.5),
  crawled('split:97/2/1', 0.8, 0.9),
  crawled('unified', 0.7, 0.8),
]

test('weeks are drawn, and what is missed is compared whichever way it goes', () => {
  const text = weeksText(found)
  expect(text).toContain('· bfs   + split:97/2/1   █ unified')
  expect(text).toMatch(/unified +0\.750 +50 % +30 % +20 % +50 %/)
  expect(text).toContain('With unified searchers miss 50 % less than with bfs.')
  expect(text).toContain('With unified searchers miss 67 % more than with split:97/2/1.')
})

test('the report has the curve as a picture, and tells how it was made', () => {
  const rows = [{ policy: 'impact', fetches: 5, pages: 5, quality: 0.5, maxNdcg: 0.4, seconds: 1 }]
  const page = demoReport(rows, found, 7)
  expect(page.match(/<svg /g)!.length).toBeGreaterThanOrEqual(4)
  expect(page).toContain('Repository quality, model web, seed 7')
})
