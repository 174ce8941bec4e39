import { Lessons } from '#learn/lessons.ts'
import { acquisitionFacts, impact } from '#policy/acquire/impact.ts'
import { surveyOf } from '#policy/acquire/survey.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { AddressShapes } from '#policy/facts/address-shapes.ts'
import { crawlFacts } from '#policy/facts/crawl-facts.ts'
import { sketchedQueries } from '#policy/facts/known-queries.ts'
import { QueryKnowledge } from '#policy/facts/query-knowledge.ts'
import { measureUpkeep } from './acquire/upkeep.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { measure, rounded } from './harness/cost.ts'
import { type CrawlSizes, drawCrawl } from './webs/drawn-crawl.ts'

/** What the issue allows a plan, and upkeep as a share of a crawl's CPU. */
const LIMITS = { planCpuSeconds: 60, peakRssMb: 4_096, upkeepShare: 0.15 }

export default benchmark({
  about:
    'Plans by impact over millions of pages not fetched; and what keeping up costs, on a served archive',
  flags: {
    ...{ urls: 2_000_000, links: 5_000_000, queries: 100_000, needy: 5_000, budget: 10_000 },
    ...{ archive: '', pages: 2_000, seed: 7 },
  },
  async run({ needy, budget, archive, pages, ...sizes }) {
    const upkeep = await measureUpkeep(archive, pages, sizes.seed)
    const { result: web, cost: draw } = await measure('draw', () => drawWeb(sizes))
    const { frontier, index } = web
    const { sketched, lessons } = sketchedQueries(web.queries, 1, needy)
    const takeUp = await measure(
      'take up the crawl',
      () => new QueryKnowledge(frontier, index, sketched, { lessons }),
    )
    const shapes = new AddressShapes(frontier.urls)
    const source = { lessons: new Lessons(frontier), shapes, asked: takeUp.result }
    const factsNow = () => {
      const moment = { now: 2, seed: sizes.seed, budget, candidates: frontier.unfetched(2) }
      const facts = crawlFacts(source, { ...moment, mayRefetch: () => true })
      return acquisitionFacts(facts, facts.asked!)
    }
    const learning = await measure('sketches and learning', factsNow)
    const bids = await measure('match, score and bid', () => impact(learning.result))
    const plan = await measure('plan', () => planFetches([bids.result], { budget }))
    const parts = { learning, bids, plan }
    const planCpuSeconds = Object.values(parts).reduce((sum, { cost }) => sum + cost.cpuSeconds, 0)
    const { peakRssMb } = plan.cost
    const matching = await measure('of that, to match', () => countPairs(learning.result))
    const again = await measure('of that, sketches', factsNow)
    const found = {
      planCpuSeconds: rounded(planCpuSeconds),
      peakRssMb,
      upkeepShare: upkeep.upkeepShare,
    }
    const isWithin = mustHold(
      found.planCpuSeconds <= LIMITS.planCpuSeconds &&
        found.peakRssMb <= LIMITS.peakRssMb &&
        found.upkeepShare <= LIMITS.upkeepShare,
    )
    return {
      isWithin,
      ...found,
      limits: LIMITS,
      ...sizes,
      needy,
      budget,
      learnt: learning.result.model !== undefined,
      pairs: matching.result,
      planned: plan.result.length,
      parts: {
        ...Object.fromEntries(Object.entries(parts).map(([name, { cost }]) => [name, cost])),
        matchingAlone: matching.cost,
        sketchesAlone: again.cost,
      },
      before: { draw, takeUp: takeUp.cost },
      upkeep,
    }
  },
})

const LINKS_A_PAGE = 50

/** A crawl under way: those not fetched, and as many fetched and indexed as have the links. */
function drawWeb({ urls, links, ...sizes }: Omit<CrawlSizes, 'held' | 'visits' | 'indexed'>) {
  const held = Math.ceil(links / LINKS_A_PAGE)
  const web = drawCrawl({ urls: held + urls, links, held, indexed: held, visits: 1, ...sizes })
  web.replay(() => {})
  return web
}

/** Candidates that may answer the queries, by words and links. */
function countPairs(facts: Parameters<typeof surveyOf>[0]): number {
  const { finder, isSurveyed } = surveyOf(facts, facts.candidates)
  let pairs = 0
  for (const query of facts.queries.keys()) pairs += finder.find([query], isSurveyed).urls.length
  return pairs
}
