import { rowOf } from '#numeric/csr.ts'
import type { DiscoverySite } from './discovery-site.ts'

/** How a breadth-first crawl of one snapshot comes to know its pages; columns by page. */
interface CrawlTree {
  /** Links from the nearest seed; as many as there are pages if no path leads there. */
  readonly depths: Uint32Array
  /** Pages that this one is the first to lead to. */
  readonly children: Uint32Array
}

export function crawlTreeAt(site: DiscoverySite, snapshot: number): CrawlTree {
  const live = site.versionsAt[snapshot]
  const depths = new Uint32Array(site.pages).fill(site.pages)
  const children = new Uint32Array(site.pages)
  const queue = site.seeds.filter((page) => live[page] >= 0)
  for (const page of queue) depths[page] = 0
  for (const page of queue)
    for (const target of rowOf(site.links, live[page])) {
      if (depths[target] !== site.pages || live[target] < 0) continue
      depths[target] = depths[page] + 1
      children[page]++
      queue.push(target)
    }
  return { depths, children }
}
