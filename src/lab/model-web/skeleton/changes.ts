import type { Random } from '#numeric/random.ts'
import type { WebPlan } from './model-web.ts'

/** Bits of a page's week: its main text was rewritten in part; and it turned to its second topic. */
export const EDITED = 1
export const DRIFTED = 2

/** One byte for each page and week, at page × weeks + week. */
export type Changes = Uint8Array

/**
 * When each page's main text changes. Rates are heavy-tailed over pages, changes come in bursts,
 * and young pages change more. A copy has no changes of its own.
 */
export function drawChanges(random: Random, web: WebPlan): Changes {
  const { knobs, weeks, hosts, pages } = web
  const changes = new Uint8Array(pages.count * weeks)
  for (let page = 0; page < pages.count; page++) {
    if (pages.textOf[page] !== page) continue
    const { edits } = hosts[pages.host[page]].archetype
    if (pages.isArticle(page) && random.chance(knobs.neverChangingShare)) continue
    const rate = Math.min(0.9, knobs.changesPerWeek * edits * Math.exp(1.2 * random.normal()))
    // Weeks of editing come in runs, so a run starts less often for the same rate.
    const start = rate * (1 - knobs.burstiness)
    const first = pages.birth[page] + 1
    let editing = false
    for (let week = first; week < weeks; week++) {
      const young = pages.birth[page] > 0 && week - first < 2 ? 3 : 1
      const chance = editing ? Math.max(knobs.burstiness, rate) : start * young
      editing = random.chance(chance)
      if (editing)
        changes[page * weeks + week] = EDITED | (random.chance(knobs.driftShare) ? DRIFTED : 0)
    }
  }
  return changes
}
