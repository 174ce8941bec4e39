import { inDegree } from '#importance/in-degree.ts'
import { linkFlow } from '#importance/link-flow.ts'
import { pageRank } from '#importance/pagerank.ts'
import { csrFromEdges, distinctRows } from '#numeric/csr.ts'
import { planFetches } from '#policy/scheduler.ts'
import { measure, rounded } from './cost.ts'
import { numberFlags } from './flags.ts'
import { modelGraph } from './model-graph.ts'
import { scipyProduct } from './scipy-product.ts'

/** Plans a cycle over millions of known URLs: load, in-degree, PageRank, a plan under caps. */
export async function run(args: string[]): Promise<object> {
  const { urls, links, budget, seed } = numberFlags(args, {
    urls: 5_000_000,
    links: 50_000_000,
    budget: 100_000,
    seed: 7,
  })
  const generate = await measure('generate', () => modelGraph(urls, links, seed))
  const { sources, targets, hosts, domains, candidates } = generate.result

  const load = await measure('load', () => distinctRows(csrFromEdges(urls, sources, targets)))
  const graph = load.result
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
    const gains = new Float64Array(candidates.length)
    candidates.forEach((url, i) => {
      gains[i] = ranking.result[url] * urls
    })
    const bids = { purpose: 'acquire' as const, urls: candidates, gains, why: () => 'PageRank' }
    return planFetches([bids], { budget, hosts, perHost: 20, domains, perDomain: 50 })
  })
  const scipy = await scipyProduct(flow, rounds)
  console.error(scipy.note)
  return {
    benchmark: 'plan',
    urls,
    links: edges,
    candidates: candidates.length,
    mostLinked: degrees.result.reduce((most, degree) => Math.max(most, degree), 0),
    planned: plan.result.length,
    steps: {
      generate: generate.cost,
      load: load.cost,
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
