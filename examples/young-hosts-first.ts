/**
 * A policy of your own, to run beside the built-in ones:
 *
 *   forager lab run selection --archive modelweb --policy-file examples/young-hosts-first.ts
 *   forager crawl https://example.org/ --policy-file examples/young-hosts-first.ts
 *
 * It spreads the crawl over many hosts: a page's in-links count, but each further page of a host that the
 * crawl already holds counts less. A bidder reads facts and makes bids; it holds no state, does no I/O and
 * asks no clock.
 */
import { defineBidder } from 'forager'

export default defineBidder({
  name: 'young-hosts-first',
  summary: 'most in-links first, hosts with few pages held before others',
  task: 'acquire',
  needs: ['candidates', 'links', 'hosts', 'visits'],
  bids: ({ candidates, links, hosts, visits }) => {
    const inLinks = new Uint32Array(hosts.length)
    for (const target of links.targets) inLinks[target]++
    const pagesOfHost = new Map<number, number>()
    for (const url of visits) pagesOfHost.set(hosts[url], (pagesOfHost.get(hosts[url]) ?? 0) + 1)

    const gainOf = (url: number) => inLinks[url] / Math.sqrt(1 + (pagesOfHost.get(hosts[url]) ?? 0))
    return {
      urls: candidates,
      gains: Float64Array.from(candidates, gainOf),
      why: (i) =>
        `${inLinks[candidates[i]]} in-links, ${pagesOfHost.get(hosts[candidates[i]]) ?? 0} pages of its host held`,
    }
  },
})
