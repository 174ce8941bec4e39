import { inDegree } from '#importance/in-degree.ts'
import { linkFlow } from '#importance/link-flow.ts'
import { pageRank } from '#importance/pagerank.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { benchmark } from './harness/benchmark.ts'
import { measure, rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { scipyProduct } from './plan/scipy-product.ts'
import { writeCrawlDir } from './webs/crawl-dir.ts'

export default benchmark({
  about: 'Plans a cycle over millions of known URLs: load, in-degree, PageRank, a plan under caps',
  flags: { urls: 5_000_000, links: 50_000_000, budget: 100_000, seed: 7 },
  run: ({ budget, ...sizes }) =>
    inFolder(async (dir) => {
      await writeCrawlDir(dir, sizes)
      return await measurePlan(dir, budget)
    }),
})

async function measurePlan(dir: string, budget: number): Promise<object> {
  const load = await measure('load', async () => {
    const store = await CrawlStore.open(dir)
    const { frontier } = await store.load()
    store.close()
    return frontier
  })
  const frontier = load.result
  const snapshot = await measure('facts', () => frontier.graphFacts(0, 1))
  const { links: graph, candidates, domains } = snapshot.result
  const edges = graph.targets.length
  const degrees = await measure('in-degree', () => inDegree(graph))

  const layout = await measure('lay out links for PageRank', () => linkFlow(graph))
  const flow = layout.result
  let rounds = 0
  const onRound = () => rounds++
  const ranking = await measure('PageRank', () => pageRank(graph, { flow, onRound }))
  const edgesPerCpuSecond = Math.round((edges * rounds) / ranking.cost.cpuSeconds)
  console.error(`PageRank: ${rounds} rounds, ${rounded(edgesPerCpuSecond / 1e6)} M edges/CPU-s`)

  const plan = await measure('plan', () => {
    const gains = Float64Array.from(candidates, (url) => ranking.result[url] * frontier.size)
    const bids = { purpose: 'acquire' as const, urls: candidates, gains, why: () => 'PageRank' }
    const quotas = [
      { groups: frontier.urls.hosts(), most: 20 },
      { groups: domains, most: 50 },
    ]
    return planFetches([bids], { budget, quotas })
  })
  const scipy = await scipyProduct(flow, rounds)
  console.error(scipy.note)
  return {
    urls: frontier.size,
    links: edges,
    candidates: candidates.length,
    mostLinked: degrees.result.reduce((most, degree) => Math.max(most, degree), 0),
    planned: plan.result.length,
    steps: {
      load: load.cost,
      facts: snapshot.cost,
      inDegree: degrees.cost,
      layOut: layout.cost,
      pageRank: ranking.cost,
      plan: plan.cost,
    },
    pageRank: { rounds, edgesPerCpuSecond },
    scipy,
    ratio: scipy.edgesPerCpuSecond && rounded(edgesPerCpuSecond / scipy.edgesPerCpuSecond),
    peakRssMb: plan.cost.peakRssMb,
  }
}
