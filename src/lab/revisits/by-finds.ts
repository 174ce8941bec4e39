import type { SeenByRevisit } from './discovery-crawler.ts'
import type { Revisiting, RevisitingWay } from './revisiting.ts'

/** What a visit found and cost counts so much after one more visit. */
const FADE = 0.995
/** No expert gets less of the budget: who is wrong now may be right later. */
const LEAST_SHARE = 0.1

/**
 * Several ways of revisiting, each with a share of the budget by what its proposals find: the mean over its visits of
 * the root of the pages found. A page counts for whoever proposed it; all learn from everything.
 */
export function byFinds(ways: readonly RevisitingWay[]): RevisitingWay {
  return (crawler) => {
    const experts = ways.map((way) => way(crawler))
    const [finds, visits] = [experts.map(() => 1), experts.map(() => 1)]
    const credits = experts.map(() => 0)
    let proposers = new Map<number, number>()
    const learn = (snapshot: number, page: number, seen: SeenByRevisit | undefined) => {
      const proposer = proposers.get(page)!
      finds[proposer] = finds[proposer] * FADE + Math.sqrt(seen?.found.length ?? 0)
      visits[proposer] = visits[proposer] * FADE + 1
      for (const expert of experts) expert.learn?.(snapshot, page, seen)
    }
    return {
      choose: (snapshot, budget) => {
        const shares = sharesOf(finds.map((found, i) => found / visits[i]))
        proposers = taken(experts, shares, credits, snapshot, budget)
        return Uint32Array.from(proposers.keys())
      },
      learn,
      settle: (snapshot) => {
        for (const expert of experts) expert.settle?.(snapshot)
      },
    }
  }
}

/** Shares in proportion to what each finds a visit, none below the least. */
export function sharesOf(findsPerVisit: readonly number[]): number[] {
  const all = findsPerVisit.reduce((sum, finds) => sum + finds, 0)
  const raised = findsPerVisit.map((finds) => Math.max(LEAST_SHARE, all > 0 ? finds / all : 0))
  const free = raised.reduce((sum, share) => sum + share - LEAST_SHARE, 0)
  const rest = 1 - LEAST_SHARE * raised.length
  return raised.map((share) =>
    free > 0 ? LEAST_SHARE + ((share - LEAST_SHARE) / free) * rest : 1 / raised.length,
  )
}

/** By page, in their order: who proposed it. Whoever is owed most goes next, with its best page that nobody took. */
function taken(
  experts: readonly Revisiting[],
  shares: readonly number[],
  credits: number[],
  snapshot: number,
  budget: number,
): Map<number, number> {
  const lists = experts.map((expert) => expert.choose(snapshot, budget * experts.length))
  const places = experts.map(() => 0)
  const proposers = new Map<number, number>()
  const isDone = (i: number) => {
    while (places[i] < lists[i].length && proposers.has(lists[i][places[i]])) places[i]++
    return places[i] >= lists[i].length
  }
  while (proposers.size < budget && !experts.every((_, i) => isDone(i))) {
    for (const [i, share] of shares.entries()) credits[i] += share
    const next = credits.reduce((most, credit, i) => (credit > credits[most] ? i : most), 0)
    credits[next]--
    if (!isDone(next)) proposers.set(lists[next][places[next]], next)
  }
  return proposers
}
