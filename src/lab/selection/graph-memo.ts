import { transDomainInDegree } from '#importance/trans-domain-in-degree.ts'
import type { Bidder } from '#policy/bidder.ts'
import { someFacts } from '#policy/facts/facts.ts'
import { breadthFirst } from '#policy/orders/link-orders.ts'
import { bestFirst } from './best-first.ts'
import { crawlOrder } from './crawl-order.ts'
import { linkingDomains, markedUrls } from './domain-limits.ts'
import type { SelectionFacts } from './selection-facts.ts'
import type { Signal } from './selection-name.ts'

/** What several selections need of one graph, worked out once. */
export class GraphMemo {
  readonly #facts: SelectionFacts
  readonly #orders = new Map<Bidder, { tieSeed: number; order: Uint32Array }>()
  #transDomainInDegree: Uint32Array | undefined
  #linkingDomains: Uint32Array | undefined

  constructor(facts: SelectionFacts) {
    this.#facts = facts
  }

  /** All URLs the policy bids for, best first; breadth-first is the base crawl as it went. */
  order(bidder: Bidder, tieSeed: number): Uint32Array {
    const known = this.#orders.get(bidder)
    if (known?.tieSeed === tieSeed) return known.order
    const facts = this.#facts
    const order =
      bidder === breadthFirst
        ? crawlOrder(facts)
        : bestFirst(bidder.bids(someFacts({ budget: facts.candidates.length, ...facts })), tieSeed)
    this.#orders.set(bidder, { tieSeed, order })
    return order
  }

  transDomainInDegree(): Uint32Array {
    this.#transDomainInDegree ??= transDomainInDegree(this.#facts.links, this.#facts.domains)
    return this.#transDomainInDegree
  }

  /** What a signal says of each domain. */
  domainScores(signal: Signal, clicked: Uint32Array | undefined): Uint32Array {
    const { links, domains } = this.#facts
    if (signal === 'domains') {
      this.#linkingDomains ??= linkingDomains(links, domains)
      return this.#linkingDomains
    }
    const isEntry = new Uint8Array(domains.length)
    for (const url of clicked ?? []) isEntry[url] = 1
    if (signal === 'entries') {
      const linksIn = this.transDomainInDegree()
      for (let url = 0; url < isEntry.length; url++) if (linksIn[url] > 0) isEntry[url] = 1
    }
    return markedUrls(domains, isEntry)
  }
}

const memos = new WeakMap<SelectionFacts, GraphMemo>()

/** The one memo of these facts; it goes when they go. */
export function memoOf(facts: SelectionFacts): GraphMemo {
  const known = memos.get(facts)
  if (known !== undefined) return known
  const memo = new GraphMemo(facts)
  memos.set(facts, memo)
  return memo
}
