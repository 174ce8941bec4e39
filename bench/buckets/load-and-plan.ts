/** Loads a crawl that lies in one directory and plans once, as `bench plan` does: `node bench/buckets/load-and-plan.ts DIR BUDGET`. */
import { linkFlow } from '#importance/link-flow.ts'
import { pageRank } from '#importance/pagerank.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'

const [dir, budget] = process.argv.slice(2)
const store = await CrawlStore.open(dir)
const { frontier } = await store.load()
store.close()
const { links, candidates, domains, hosts } = frontier.graphFacts(0, 1)
const ranks = pageRank(links, { flow: linkFlow(links) })
const gains = Float64Array.from(candidates, (url) => ranks[url] * frontier.size)
const quotas = [
  { groups: hosts, most: 20 },
  { groups: domains, most: 50 },
]
const bids = { purpose: 'acquire' as const, urls: candidates, gains, why: () => 'PageRank' }
const plan = planFetches([bids], { budget: Number(budget), quotas, hashes: frontier.urls.hashes() })
console.log(
  JSON.stringify({ urls: frontier.size, links: links.targets.length, planned: plan.length }),
)
