import { type Csr, csrFromEdges, rowCount } from '#numeric/csr.ts'
import { GrowingColumn } from '#numeric/grow.ts'

/**
 * The link graph of groups of URLs, such as hosts or domains: one row a group, each other group it
 * links to once. `groups` is indexed by URL.
 */
export function linksBetween(links: Csr, groups: Uint32Array): Csr {
  const { offsets, targets } = links
  const groupCount = highest(groups) + 1
  const members = membersOf(groups.subarray(0, rowCount(links)), groupCount)
  const groupOffsets = new Uint32Array(groupCount + 1)
  const groupTargets = new GrowingColumn(Uint32Array)
  const lastLinker = new Uint32Array(groupCount) // group + 1 that was last seen to link here
  for (let group = 0; group < groupCount; group++) {
    lastLinker[group] = group + 1
    for (let i = members.offsets[group]; i < members.offsets[group + 1]; i++) {
      const url = members.targets[i]
      const end = offsets[url + 1]
      for (let edge = offsets[url]; edge < end; edge++) {
        const target = groups[targets[edge]]
        if (lastLinker[target] === group + 1) continue
        lastLinker[target] = group + 1
        groupTargets.push(target)
      }
    }
    groupOffsets[group + 1] = groupTargets.length
  }
  return { offsets: groupOffsets, targets: groupTargets.view() }
}

function membersOf(groups: Uint32Array, groupCount: number): Csr {
  const urls = new Uint32Array(groups.length)
  for (let url = 0; url < urls.length; url++) urls[url] = url
  return csrFromEdges(groupCount, groups, urls)
}

function highest(groups: Uint32Array): number {
  let most = -1
  for (let url = 0; url < groups.length; url++) if (groups[url] > most) most = groups[url]
  return most
}
