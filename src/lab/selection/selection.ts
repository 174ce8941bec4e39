import { SettingError } from '#errors/setting-error.ts'
import type { Bidder } from '#policy/bidder.ts'
import type { FactName } from '#policy/facts/facts.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'
import { limitsByRank, limitsByScore, withinLimits } from './domain-limits.ts'
import { type GraphMemo, memoOf } from './graph-memo.ts'
import { SELECTION_FACTS, type SelectionFacts } from './selection-facts.ts'
import { type LimitRule, parseSelectionName } from './selection-name.ts'

interface SelectionOptions {
  /** The URLs people clicked, in any order; undefined if nothing is known of clicks. */
  readonly clicked: Uint32Array | undefined
  /** Puts equal scores in random order. */
  readonly tieSeed: number
}

/** What a recipe would keep of one graph. */
export interface Selection {
  /** The URLs kept when `size` are wanted, best first; fewer where a limit or the graph says so. */
  select(size: number): Uint32Array
}

/** A way to choose pages, whatever the graph. */
export interface Recipe {
  readonly name: string
  /** True if it cannot do without `clicked`. */
  readonly needsClicks: boolean
  readonly on: (facts: SelectionFacts, options: SelectionOptions) => Selection
}

/** What `lab run selection` tries when nobody says otherwise. */
export const DEFAULT_SELECTIONS: readonly string[] = [
  ...selecting(REGISTRY).map(({ name }) => name),
  // The paper wavers between "2 or more" and "more than 2", so both.
  ...[2, 3, 4].map((cutoff) => `pagerank+td${cutoff}`),
  ...[2, 3, 4].map((cutoff) => `indegree+td${cutoff}`),
  ...[10, 100].map((pages) => `pagerank@static-${pages}`),
  ...['domains', 'clicks'].flatMap((signal) =>
    [0.01, 0.1].map((scale) => `pagerank@${signal}-rank-${scale}`),
  ),
  // From limits that cut most pages away, even of a web of some thousand pages, to such as cut few.
  ...['domains', 'clicks', 'entries'].flatMap((signal) =>
    [0.1, 0.25, 1, 4].map((scale) => `pagerank@${signal}-score-${scale}`),
  ),
]

/** The bidders that can select pages: those for new pages that go by links and addresses alone. */
function selecting(registry: Registry): Bidder[] {
  const isKnown = (need: FactName) => SELECTION_FACTS.includes(need)
  return registry.of('acquire').filter(({ needs }) => needs.every(isKnown))
}

/** The recipe of that name, by bidders of the registry, or a SettingError. */
export function selectionNamed(name: string, registry: Registry = REGISTRY): Recipe {
  const names = selecting(registry).map((bidder) => bidder.name)
  const { policy, cutoff, limit } = parseSelectionName(name, names)
  const bidder = registry.named(policy)!
  const needsClicks = limit !== undefined && limit.kind !== 'static' && limit.signal === 'clicks'
  return {
    name,
    needsClicks,
    on: (facts, options) => {
      if (needsClicks && options.clicked === undefined) {
        throw new SettingError(
          'policies',
          `{policies}: "${name}" needs clicks, and this archive has none; domains or entries in place of clicks does without`,
        )
      }
      const memo = memoOf(facts)
      const byPolicy = memo.order(bidder, options.tieSeed)
      const order =
        cutoff === undefined ? byPolicy : putFirst(byPolicy, memo.transDomainInDegree(), cutoff)
      if (limit === undefined) return { select: (size) => order.slice(0, size) }
      const limitOf = limitFunction(limit, memo, options.clicked)
      const limits = { domains: facts.domains, limitOf, refill: limit.refill }
      return { select: (size) => withinLimits(order, size, limits) }
    },
  }
}

/**
 * The order with the URLs of enough trans-domain links moved to its front: a policy's union with
 * them at every size. Where all of those fit into the first N,
 * the first N are they and the policy's best M, with the M that makes N together.
 *
 * @paper FetterlyCraswellVinay2009 §3.2 — and where they do not fit, the policy's best of them.
 */
function putFirst(order: Uint32Array, degrees: Uint32Array, cutoff: number): Uint32Array {
  const sorted = new Uint32Array(order.length)
  let size = 0
  for (const url of order) if (degrees[url] >= cutoff) sorted[size++] = url
  for (const url of order) if (degrees[url] < cutoff) sorted[size++] = url
  return sorted
}

function limitFunction(
  rule: LimitRule,
  memo: GraphMemo,
  clicked: Uint32Array | undefined,
): (domain: number) => number {
  if (rule.kind === 'static') return () => rule.pages
  const scores = memo.domainScores(rule.signal, clicked)
  const limits = (rule.kind === 'score' ? limitsByScore : limitsByRank)(scores, rule.scale)
  return (domain) => limits[domain]
}
