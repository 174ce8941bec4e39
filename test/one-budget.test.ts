import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crawlPolicy } from '#app/cli/crawl-policy.ts'
import { type OpenCrawl, openCrawl } from '#app/cli/open-crawl.ts'
import { importLog } from '#app/served-crawl.ts'
import type { BudgetPlanner } from '#crawl/budget-planner.ts'
import { planCycle, runCycle } from '#crawl/cycle.ts'
import { archiveFetcher } from '#lab/archive-fetcher.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { RecordedWeb } from '#lab/recorded-web.ts'
import { archiveOf } from '#repository/archive/assemble-archive.ts'

const WEEKS = 8
const WEEKLY_BUDGET = 40
const records = generateModelWeb({ seed: 6, pages: 500, weeks: WEEKS })
const archive = archiveOf(records)
const web = new RecordedWeb(archive, 0)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forager-one-budget-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function opened(dir: string, now: number): Promise<OpenCrawl> {
  return openCrawl(dir, { seeds: web.seeds(), now })
}

/** Crawls all weeks of the web with a policy; gives what it has planned by at the end. */
async function crawlWeeks(dir: string, policy: string): Promise<BudgetPlanner> {
  const crawl = await opened(dir, archive.timeOf(0))
  try {
    let week = 0
    const clock = { now: () => archive.timeOf(week) }
    const fetcher = archiveFetcher(() => web.at(week), clock)
    const ports = { fetcher, repository: crawl.store, clock }
    const planner = (await crawlPolicy(policy, crawl, clock.now())) as BudgetPlanner
    const rules = { policy: planner, scope: crawl.scope, seed: 1 }
    const { signal } = new AbortController()
    for (; week < WEEKS; week++)
      for (let cycle = 0; cycle < (week === 0 ? 4 : 1); cycle++)
        await runCycle(crawl.state, rules, ports, { budget: WEEKLY_BUDGET }, signal)
    return planner
  } finally {
    crawl.store.close()
  }
}

async function rowsOf(dir: string, sql: string): Promise<Record<string, unknown>[]> {
  const { store } = await opened(dir, archive.timeOf(WEEKS - 1))
  try {
    return (await store.query(sql)) as Record<string, unknown>[]
  } finally {
    store.close()
  }
}

async function begun(name: string): Promise<string> {
  const dir = join(folder, name)
  await importLog(dir, records.workload!.queries.slice(0, 60))
  return dir
}

test('one budget fetches new pages, copies and links, at a price, and remembers what it learnt', async () => {
  const dir = await begun('unified')
  const planner = await crawlWeeks(dir, 'unified')
  const tasks = await rowsOf(
    dir,
    `SELECT purpose, count(*)::INTEGER AS fetches FROM fetch_log WHERE cycle > 4
     GROUP BY purpose ORDER BY purpose`,
  )
  const purposes = tasks.map(({ purpose }) => purpose)
  expect(purposes).toContain('acquire')
  expect(purposes).toContain('refresh')
  const fetches = tasks.reduce((sum, task) => sum + Number(task.fetches), 0)
  expect(fetches).toBeLessThanOrEqual((WEEKS - 1) * WEEKLY_BUDGET)
  const [log] = await rowsOf(
    dir,
    `SELECT count(bid)::INTEGER AS bids, count(*)::INTEGER AS fetches,
            count(probability)::INTEGER AS random,
            max(abs(bid - bid_acquire - bid_refresh - bid_discover)) AS gap
     FROM fetch_log WHERE cycle > 4`,
  )
  expect(log.bids).toBe(log.fetches)
  expect(Number(log.gap)).toBeLessThan(1e-9)
  expect(Number(log.random)).toBeGreaterThan(0)
  const again = await opened(dir, archive.timeOf(WEEKS - 1))
  try {
    const now = archive.timeOf(WEEKS - 1)
    const reopened = (await crawlPolicy('unified', again, now)) as BudgetPlanner
    expect(reopened.price).toBe(planner.price)
    expect(reopened.price).toBeGreaterThan(0)
    for (const task of ['acquire', 'refresh', 'links'] as const) {
      const groups = planner.learnt.corrections.calibrations[task].groups()
      expect(groups.length).toBeGreaterThan(0)
      expect(reopened.learnt.corrections.calibrations[task].groups()).toEqual(groups)
    }
  } finally {
    again.store.close()
  }
})

test('fixed shares are kept to, and what one task cannot use goes to the others', async () => {
  const dir = await begun('split')
  await crawlWeeks(dir, 'split:50/30/20')
  const rows = await rowsOf(
    dir,
    `SELECT purpose, count(*)::INTEGER AS fetches FROM fetch_log WHERE cycle BETWEEN 5 AND 7
     GROUP BY purpose ORDER BY purpose`,
  )
  const counts = Object.fromEntries(rows.map(({ purpose, fetches }) => [purpose, Number(fetches)]))
  expect(counts.acquire).toBeGreaterThanOrEqual(WEEKLY_BUDGET * 3 * 0.45)
  expect(counts.refresh).toBeGreaterThanOrEqual(WEEKLY_BUDGET * 3 * 0.25)
  expect(counts.discover).toBeGreaterThanOrEqual(WEEKLY_BUDGET * 3 * 0.15)
})

test('copies younger than a day are left alone', async () => {
  const dir = await begun('young')
  await crawlWeeks(dir, 'unified')
  const now = archive.timeOf(WEEKS - 1)
  const crawl = await opened(dir, now)
  try {
    const policy = await crawlPolicy('unified', crawl, now)
    const rules = { policy, scope: crawl.scope, seed: 1 }
    const planAt = (seconds: number) =>
      planCycle(crawl.state, rules, { budget: 1_000 }, now + seconds).fetches
    const lastVisit = ({ url }: { url: number }) => crawl.state.frontier.lastVisitOf(url)
    const isYoung = (fetch: { url: number }) => lastVisit(fetch) === now
    expect(planAt(3_600).filter(isYoung)).toEqual([])
    expect(planAt(90_000).filter(isYoung).length).toBeGreaterThan(10)
  } finally {
    crawl.store.close()
  }
})
