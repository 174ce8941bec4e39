import { boundOf } from '#numeric/bound-of.ts'
import type { Frontier } from './frontier.ts'

/** What of so many fetches each group of URLs may have; undefined where no group has more than that. */
export type QuotaOf = (
  budget: number,
) => { readonly groups: Uint32Array; readonly most: Float64Array } | undefined

/**
 * A quota for hosts that have not answered yet. A lineage gets the share of all fetches that its
 * good pages are of all good pages. That is at most the share of any other lineage with
 * something left to fetch, and at least one fetch. Groups are lineages plus 1, and 0 for seeds and known hosts.
 */
export function lineageQuota(frontier: Frontier): QuotaOf {
  const { lineages, urls } = frontier
  const { byHost } = frontier.visited()
  const hosts = urls.hosts()
  const lastVisits = frontier.lastVisits()
  const groups = new Uint32Array(frontier.size)
  const open = new Set<number>() // lineages that have something to fetch
  const waiting = new Map<number, number>() // by lineage: URLs of new hosts
  for (let url = 0; url < groups.length; url++) {
    if (lastVisits[url] > 0 || frontier.foreign.has(url)) continue
    const host = hosts[url]
    const lineage = lineages.of(host)
    open.add(lineage)
    if ((host < byHost.length && byHost[host] > 0) || frontier.isSeed(url)) continue
    groups[url] = lineage + 1
    waiting.set(lineage, (waiting.get(lineage) ?? 0) + 1)
  }
  const groupCount = boundOf(groups)
  return (budget) => {
    const most = new Float64Array(groupCount).fill(Number.POSITIVE_INFINITY)
    let isBinding = false
    for (const [lineage, count] of waiting) {
      const left = lineages.firstContactsLeft(lineage, 1 / open.size, budget)
      most[lineage + 1] = Math.max(1, Math.floor(left))
      if (count > most[lineage + 1]) isBinding = true
    }
    return isBinding ? { groups, most } : undefined
  }
}
