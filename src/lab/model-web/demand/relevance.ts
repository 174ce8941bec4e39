import type { ModelWeb } from '../skeleton/model-web.ts'
import { PageKind } from '../skeleton/pages.ts'
import { closeness, topicOf } from '../skeleton/topics.ts'
import type { Need } from './needs.ts'

/** How well each kind of page serves a broad and a narrow need, beside its topic and quality. */
const BROAD: Readonly<Record<number, number>> = {
  [PageKind.home]: 1,
  [PageKind.hub]: 0.95,
  [PageKind.listing]: 0.4,
  [PageKind.category]: 0.7,
  [PageKind.calendar]: 0,
}
const NARROW: Readonly<Record<number, number>> = {
  [PageKind.home]: 0.5,
  [PageKind.hub]: 0.55,
  [PageKind.listing]: 0.3,
  [PageKind.category]: 0.4,
  [PageKind.calendar]: 0,
}

/** Latent relevance, 0 to 1: topic match × quality × kind of page. What judgments and clicks come from. */
export function relevance(web: ModelWeb, need: Need, page: number): number {
  const { pages, hosts } = web
  if (need.site) {
    const host = hosts[pages.host[page]]
    const here = host.domain === need.site || host.mirrorOf?.domain === need.site
    if (here && pages.kind[page] === PageKind.home) return host === need.site.hosts[0] ? 1 : 0.5
    return here ? 0.25 : 0
  }
  const main = match(web, need, pages.aspect[page])
  const side = 0.5 * match(web, need, pages.second[page])
  const kind = (need.broad ? BROAD : NARROW)[pages.kind[page]] ?? (need.broad ? 0.85 : 1)
  return Math.max(main, side) * (0.35 + 0.65 * pages.quality[page]) * kind
}

function match({ topics }: ModelWeb, need: Need, offered: number): number {
  if (need.broad && topicOf(need.aspect) === topicOf(offered)) return 1
  return closeness(topics, need.aspect, offered)
}
