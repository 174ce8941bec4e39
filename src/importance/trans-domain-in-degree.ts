import { type Csr, rowCount } from '#numeric/csr.ts'

/**
 * How many pages of other registrable domains link to each URL; `domains` is indexed by URL.
 *
 * @paper FetterlyCraswellVinay2009 §3 — a page counts once however often it links.
 */
export function transDomainInDegree(links: Csr, domains: Uint32Array): Uint32Array {
  const { offsets, targets } = links
  const degrees = new Uint32Array(domains.length)
  for (let url = 0; url < rowCount(links); url++) {
    const domain = domains[url]
    const end = offsets[url + 1]
    for (let edge = offsets[url]; edge < end; edge++) {
      if (domains[targets[edge]] !== domain) degrees[targets[edge]]++
    }
  }
  return degrees
}
