import { type Csr, rowCount } from '#numeric/csr.ts'

interface OpicBooks {
  /** What each URL holds now. All cash together is 1. */
  readonly cash: Float64Array
  /** What each URL has passed on at its visits. */
  readonly history: Float64Array
}

/**
 * Cash and history after the visits, in their order. Every URL starts with an even share. A
 * visited page gives its cash in equal parts to its links and to a virtual page, which is linked
 * with all.
 *
 * @paper AbiteboulPredaCobena2003 — the virtual page is visited after every page, not in its turn.
 */
export function opicCash(links: Csr, visits: Uint32Array, urlCount = rowCount(links)): OpicBooks {
  const { offsets, targets } = links
  // The virtual page gives all URLs the same, so one running total replaces all those transfers.
  const cash = new Float64Array(urlCount).fill(1 / urlCount)
  const history = new Float64Array(urlCount)
  const giftsSpent = new Float64Array(urlCount)
  let gifts = 0
  for (const url of visits) {
    const held = cash[url] + gifts - giftsSpent[url]
    history[url] += held
    cash[url] = 0
    giftsSpent[url] = gifts
    const end = offsets[url + 1]
    const share = held / (end - offsets[url] + 1)
    for (let edge = offsets[url]; edge < end; edge++) cash[targets[edge]] += share
    gifts += share / urlCount
  }
  for (let url = 0; url < cash.length; url++) cash[url] += gifts - giftsSpent[url]
  return { cash, history }
}
