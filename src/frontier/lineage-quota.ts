import { boundOf } from '#numeric/bound-of.ts'
import type { Frontier } from './frontier.ts'

/**
 * A cap for the scheduler on hosts that have not answered yet: those of one lineage get the share of a plan that
 * its good pages have earned, and at least one fetch. Undefined where no lineage has more of them than that.
 * Groups are lineages plus 1, and 0 for seeds and for hosts that are known.
 */
export function lineageQuota(
  frontier: Frontier,
  budget: number,
): { groups: Uint32Array; most: Float64Array } | undefined {
  const { lineages, urls } = frontier
  const { byHost } = frontier.visited()
  const hosts = urls.hosts()
  const groups = new Uint32Array(frontier.size)
  const waiting = new Map<number, number>() // by lineage: URLs
  for (let url = 0; url < groups.length; url++) {
    const host = hosts[url]
    if (host < byHost.length && byHost[host] > 0) continue
    if (frontier.isSeed(url)) continue
    const lineage = lineages.of(host)
    groups[url] = lineage + 1
    waiting.set(lineage, (waiting.get(lineage) ?? 0) + 1)
  }
  const most = new Float64Array(boundOf(groups)).fill(Number.POSITIVE_INFINITY)
  let isBinding = false
  for (const [lineage, count] of waiting) {
    const earned = Math.max(1, Math.floor(budget * lineages.shareOf(lineage)))
    most[lineage + 1] = earned
    if (count > earned) isBinding = true
  }
  return isBinding ? { groups, most } : undefined
}
