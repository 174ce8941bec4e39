import { type Csr, rowCount } from '#numeric/csr.ts'

/**
 * How many pages link to each URL.
 *
 * @paper FetterlyCraswellVinay2009 §3 — a page counts once however often it links, itself never.
 */
export function inDegree(links: Csr, urlCount = rowCount(links)): Uint32Array {
  const { targets } = links
  const degrees = new Uint32Array(urlCount)
  for (let edge = 0; edge < targets.length; edge++) degrees[targets[edge]]++
  return degrees
}
