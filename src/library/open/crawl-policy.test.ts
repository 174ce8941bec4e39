import { beforeEach, expect, test } from 'vitest'
import { archiveFetcher } from '#archive/archive-fetcher.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { crawl } from '#crawl/crawl.ts'
import { planCycle } from '#crawl/plan-cycle.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import type { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { importQueryList } from '../queries/import-log.ts'
import { crawlPolicy, goesByDepth, keepOwed, type PolicyOptions } from './crawl-policy.ts'
import { type OpenCrawl, openCrawl } from './open-crawl.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

async function budgetOf(name: string, opened: OpenCrawl): Promise<BudgetPlanner> {
  return crawlPolicy(name, opened, opened.now)
}

test('a crawl taken up owes each task what it owed when it was left, and other shares nothing', async () => {
  const seeds = Array.from({ length: 9 }, (_, page) => `https://a.org/${page}`)
  const opened = await openCrawl(dir, { seeds, now: 1_000 })
  const [name, other] = ['split:90/5/5:bfs,uniform,yield', 'split:80/15/5:bfs,uniform,yield']
  const policy = await budgetOf(name, opened)
  planCycle(opened.state, { policy, seed: 1 }, { budget: 1 }, 1_000)
  const { owed } = policy
  expect(owed).toEqual({ acquire: expect.closeTo(-0.1), refresh: 0.05, discover: 0.05 })
  await keepOwed(name, policy, opened)
  expect((await budgetOf(name, opened)).owed).toEqual(owed)
  expect((await budgetOf(other, opened)).owed).toEqual({ acquire: 0, refresh: 0, discover: 0 })
  opened.store.close()
})

test('a crawl taken up corrects its estimates as one that never stopped', async () => {
  const records = generateModelWeb({ seed: 5, pages: 500, weeks: 2 })
  const archive = archiveOf(records)
  const web = new RecordedWeb(archive, 0)
  await importQueryList(dir, records.workload!.queries)
  const clock = { now: () => archive.timeOf(0) }
  const opened = await openCrawl(dir, { seeds: web.seeds(), now: clock.now() })
  const { state, store } = opened
  const steady = await budgetOf('unified', opened)
  const ports = { fetcher: archiveFetcher(() => web, clock), repository: store, clock }
  const rules = { policy: steady, seed: 1 }
  await crawl(state, rules, ports, { budget: 150, batch: 17 }, new AbortController().signal)

  const takenUp = await budgetOf('unified', opened)
  const corrected = ({ learnt: { corrections } }: BudgetPlanner) =>
    [0.001, 0.01, 0.1, 1].flatMap((prediction) =>
      Array.from({ length: 9 }, (_, url) => [
        corrections.corrected('acquire', url, prediction),
        corrections.calibrations.firstLinks.correct(url, prediction),
      ]),
    )
  expect(corrected(takenUp)).toEqual(corrected(steady))
  // The test would show nothing if nothing had been corrected.
  expect(steady.learnt.corrections.corrected('acquire', 0, 1)).not.toBe(1)
  store.close()
})

test('a live crawl ranks by Eq. 1 of the impact paper, with the K and the share of the queries it is told', async () => {
  const hub = 'https://hub.org/'
  const page = (title: string, links: readonly [string, string][] = []) => [
    { live: [0, 0] as const, title, links },
  ]
  const linked = ['otter', 'otter', 'otter', 'newt'].map((anchor, i) => [`${hub}${i}`, anchor] as [string, string]) // biome-ignore format: one list
  const records = smallArchive(1, {
    [hub]: page('welcome', linked),
    ...Object.fromEntries(linked.map(([url]) => [url, page('a page')])),
  })
  const web = new RecordedWeb(archiveOf(records), 0)
  const asked = [
    { id: 'a', text: 'otter', weight: 653 },
    { id: 'b', text: 'newt', weight: 5 },
  ]
  await importQueryList(dir, asked)
  const clock = { now: () => 1_000 }
  const opened = await openCrawl(dir, { seeds: [hub], now: clock.now() })
  const { state, store } = opened
  const ports = { fetcher: archiveFetcher(() => web, clock), repository: store, clock }
  const first = await crawlPolicy('bfs', opened, clock.now())
  const rules = { policy: first, seed: 1 }
  await crawl(state, rules, ports, { budget: 1, batch: 1 }, new AbortController().signal)

  const candidates = Uint32Array.from(linked, ([url]) => state.frontier.urls.find(url)!)
  const bidsBy = async (options: PolicyOptions) => {
    const planner = await crawlPolicy('query-driven', opened, clock.now(), options)
    const limits = { budget: 1 }
    return [...planner.draft({ now: clock.now(), seed: 1, candidates, limits }).acquire.gains]
  }
  expect(await bidsBy({})).toEqual([653, 653, 653, 5])
  expect(await bidsBy({ topK: 2 })).toEqual([653, 653, 0, 5])
  expect(await bidsBy({ topK: 2, needyShare: 0.5 })).toEqual([653, 653, 0, 0])
  store.close()
})

test('only who goes by depth alone has an order that whatever comes leaves as it is', () => {
  expect(goesByDepth('bfs')).toBe(true)
  const others = ['random', 'pagerank', 'rankmass', 'impact', 'unified']
  expect(
    [...others, 'split:70/20/10:bfs,uniform,yield'].filter((name) => goesByDepth(name)),
  ).toEqual([])
})
