import type { GraphFacts } from '#frontier/graph-facts.ts'

/**
 * The candidates as the base crawl went through them; then what it never requested, in the order of
 * discovery. Where the base crawl went breadth-first, this is the breadth-first selection.
 *
 * @paper FetterlyCraswellVinay2009 §3.1 — continued beyond the crawl, for sizes it did not reach.
 */
export function crawlOrder({ candidates, visits, domains }: GraphFacts): Uint32Array {
  const isWaiting = new Uint8Array(domains.length)
  for (const url of candidates) isWaiting[url] = 1
  const order = new Uint32Array(candidates.length)
  let size = 0
  for (const urls of [visits, candidates]) {
    for (const url of urls) {
      if (isWaiting[url] === 0) continue
      isWaiting[url] = 0
      order[size++] = url
    }
  }
  return order
}
