import { runCycle } from '#crawl/cycle.ts'
import { MemoryStore } from '#crawl/memory-store.ts'
import { type CrawlState, crawlState } from '#crawl/plan-cycle.ts'
import { Lessons } from '#learn/lessons.ts'
import { PageIndexer } from '#learn/text-index/index-pages.ts'
import { QueryTracker } from '#learn/text-index/track-queries.ts'
import { KnownQueries } from '#policy/facts/known-queries.ts'
import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { policyNamed } from '#policy/registry/policy-name.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { type Cost, measure } from './harness/cost.ts'
import { planParts } from './schedule/plan-parts.ts'
import { measureSending } from './schedule/sending.ts'
import { type CrawlUnderWay, drawCrawl, madeUpFetcher } from './webs/drawn-crawl.ts'

/** What planning a cycle anew may cost at most, and how fast the next request is to be chosen at least. */
const LIMITS = { replanCpuSeconds: 30, peakRssMb: 4_096, decisionsPerCpuSecond: 50_000 }

export default benchmark({
  about:
    'Plans new pages, copies and links over millions of URLs, again, and chooses what to send next',
  flags: {
    ...{ urls: 5_000_000, held: 3_000_000, visits: 4, indexed: 100_000, links: 5_000_000 },
    ...{ queries: 1_000, budget: 5_000, affords: 200_000, seed: 7 },
    ...{ hosts: 2_000, requests: 200_000 },
  },
  async run({ budget, affords, hosts, requests, ...sizes }) {
    const sending = await measureSending({ hosts, requests, seed: sizes.seed })
    const { result: web, cost: draw } = await measure('draw', () => drawCrawl(sizes))
    const { frontier, index, queries } = web
    const lessons = new Lessons(frontier)
    const known = await measure(
      'take up words and links',
      () => new KnownQueries({ frontier, index, queries }),
    )
    const composition = policyNamed('unified')
    const planner = new BudgetPlanner({ lessons, composition, queries: known.result })
    const takeUp = await measure('take up the fetch log', () => {
      web.replay((fetch) => lessons.learn(fetch))
    })
    const state = crawlState(frontier)
    state.indexer = new PageIndexer(index)
    const tracked = queries.map((query, number) => ({ id: String(number), ...query }))
    state.tracker = new QueryTracker(tracked, index)
    const crawl = { web, planner, state, spending: { budget, affords }, seed: sizes.seed }
    const first = await turn('first', crawl)
    const again = await turn('second', crawl)
    const found = {
      replanCpuSeconds: again.plan.cpuSeconds,
      peakRssMb: again.plan.peakRssMb,
      decisionsPerCpuSecond: Math.round(sending.decisions / sending.cpuSeconds),
    }
    const parts = await planParts(crawl)
    const isWithin = mustHold(
      found.replanCpuSeconds <= LIMITS.replanCpuSeconds &&
        found.peakRssMb <= LIMITS.peakRssMb &&
        found.decisionsPerCpuSecond >= LIMITS.decisionsPerCpuSecond,
    )
    return {
      isWithin,
      ...found,
      limits: LIMITS,
      ...sizes,
      budget,
      affords,
      planned: again.planned,
      price: planner.price,
      firstPlan: first.plan,
      parts,
      sending: { hosts, ...sending },
      before: { draw, words: known.cost, takeUp: takeUp.cost },
    }
  },
})

interface Crawl {
  readonly web: CrawlUnderWay
  readonly planner: BudgetPlanner
  readonly state: CrawlState
  readonly spending: { readonly budget: number; readonly affords: number }
  readonly seed: number
}

/** A turn of the wheel; what it costs until the fetcher has its list, and to learn afterwards. */
async function turn(name: string, { web, planner, state, spending, seed }: Crawl) {
  const now = web.now + state.cycle * 3_600
  const listed = Promise.withResolvers<void>()
  const fetcher = madeUpFetcher(web, now, listed.resolve)
  const repository = new MemoryStore()
  const ports = { fetcher, repository, clock: { now: () => now } }
  const rules = { policy: planner, seed }
  const cycle: { running?: ReturnType<typeof runCycle> } = {}
  const { cost: plan } = await measure(`${name} plan`, () => {
    cycle.running = runCycle(state, rules, ports, spending)
    return listed.promise
  })
  const { result, cost: learn } = await measure(`${name} cycle`, () => cycle.running!)
  const costs: { plan: Cost; learn: Cost } = { plan, learn }
  return { ...costs, planned: result.planned }
}
