import { rowOf } from '#numeric/csr.ts'
import type { DiscoverySite } from './discovery-site.ts'

/** By page: how many pages it is the first to lead to, in a breadth-first crawl of one snapshot. */
export function childrenAt(site: DiscoverySite, snapshot: number): Uint32Array {
  const live = site.versionsAt[snapshot]
  const isFound = new Uint8Array(site.pages)
  const children = new Uint32Array(site.pages)
  const queue = site.seeds.filter((page) => live[page] >= 0)
  for (const page of queue) isFound[page] = 1
  for (const page of queue)
    for (const target of rowOf(site.links, live[page])) {
      if (isFound[target] || live[target] < 0) continue
      isFound[target] = 1
      children[page]++
      queue.push(target)
    }
  return children
}
