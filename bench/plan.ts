import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inDegree } from '#importance/in-degree.ts'
import { linkFlow } from '#importance/link-flow.ts'
import { pageRank } from '#importance/pagerank.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { measure, rounded } from './cost.ts'
import { numberFlags } from './flags.ts'
import { scipyProduct } from './scipy-product.ts'

/** Plans a cycle over millions of known URLs: load, in-degree, PageRank, a plan under caps. */
export async function run(args: string[]): Promise<object> {
  const { urls, links, budget, seed } = numberFlags(args, {
    urls: 5_000_000,
    links: 50_000_000,
    budget: 100_000,
    seed: 7,
  })
  const dir = mkdtempSync(join(tmpdir(), 'forager-bench-'))
  try {
    console.error('writing a crawl directory …')
    const writer = join(import.meta.dirname, 'write-crawl-dir.ts')
    execFileSync(process.execPath, [writer, dir, ...[urls, links, seed].map(String)])
    return await measurePlan(dir, budget)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

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
    benchmark: 'plan',
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
