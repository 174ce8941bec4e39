import { csrFromEdges, rowOf } from '#numeric/csr.ts'
import { candidateValues } from '#policy/acquire/candidate-values.ts'
import { impactGrounds } from '#policy/acquire/impact.ts'
import { type AddedBids, addedBids } from '#policy/budget/added-bids.ts'
import { prepare } from '../explain/prepared.ts'
import { draftPlan } from '../plan/plan-fetches.ts'
import type { WholeLook } from './watched-crawl.ts'

/** A page not fetched yet that a query may be answered by. */
export interface WantedPage {
  readonly url: string
  /** What the query expects of it: 1 is a usual result among the first ten. */
  readonly expected: number
  readonly bid: number
  /** Among all bids, from 1 on. */
  readonly place: number
}

/** Fetches that are planned to be looked at; `forager plan` plans as many. */
export const PLANNED = 20

/** What bids and explanations go by, made once for each position of the log. */
export function preparedNow(look: WholeLook) {
  const { opened, settings, bidders } = look.view
  return look.once('prepared', async () => prepare(opened, settings, PLANNED, bidders.registry))
}

/** The plan of so many fetches, made once for each position of the log. */
export async function planNow(look: WholeLook, fetches: number) {
  const { opened, settings, bidders } = look.view
  if (fetches === PLANNED) return (await preparedNow(look)).drafted()
  return look.once(`plan ${fetches}`, () => draftPlan(opened, settings, fetches, bidders.registry))
}

/** All bids as they are now, best first by `order`, and what queries expect of candidates. */
interface BiddingNow {
  readonly bids: AddedBids
  /** Places in `bids`, the best first; of equal ones the lower URL goes first. */
  readonly order: Uint32Array
  /** By the text of a query: pages that may answer it, those it expects most of first. */
  pagesFor(query: string, atMost: number): WantedPage[]
}

/** Everybody's bids, made once for each position of the log. */
export function biddingNow(look: WholeLook): Promise<BiddingNow> {
  return look.once('bidding', async () => {
    const { bidding } = await (await preparedNow(look)).drafted()
    const { facts, all } = bidding
    const bids = addedBids(all)
    const { urls, gains } = bids
    const order = Uint32Array.from(urls.keys()).sort(
      (a, b) => gains[b] - gains[a] || urls[a] - urls[b],
    )
    const grounds = impactGrounds(facts)
    return { bids, order, pagesFor: grounds ? wantedPages(look, bids, order, grounds) : () => [] }
  })
}

function wantedPages(
  look: WholeLook,
  { urls, gains }: AddedBids,
  order: Uint32Array,
  { facts }: NonNullable<ReturnType<typeof impactGrounds>>,
): BiddingNow['pagesFor'] {
  const { pairs } = candidateValues(facts)
  const allPairs = new Uint32Array(pairs.urls.length).map((_, pair) => pair)
  const rows = csrFromEdges(facts.queries.length, pairs.queries, allPairs)
  const numberOf = new Map(facts.queries.map(({ text }, query) => [text, query]))
  const placeOf = new Map(Array.from(order, (bid, place) => [urls[bid], { bid, place }]))
  return (text, atMost) => {
    const query = numberOf.get(text)
    if (query === undefined) return []
    return Array.from(rowOf(rows, query))
      .sort((a, b) => pairs.expected[b] - pairs.expected[a])
      .slice(0, atMost)
      .flatMap((pair) => {
        const url = pairs.urls[pair]
        const found = placeOf.get(url)
        if (!found) return []
        const address = look.view.opened.state.frontier.urls.urlOf(url)
        const { bid, place } = found
        return { url: address, expected: pairs.expected[pair], bid: gains[bid], place: place + 1 }
      })
  }
}
