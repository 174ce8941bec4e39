import { canonicalUrl } from '#parse/url/canonical-url.ts'
import type { AskedQuery, ClickFacts, QueryAnswers } from './acquisition-facts.ts'

/** What ranks say of a query's answers counts as much as so many clicks: the first few must not decide all. */
const RANKS_WORTH_CLICKS = 20

/**
 * What clicks tell of how queries are answered now; undefined where nobody clicked. Clicks carry weights that make up
 * for the ranks they were made at, so their trust goes by the effective sample size, (Σw)² / Σw². `numberOf` gives the
 * number of a known URL.
 */
export function clickFacts(
  queries: readonly AskedQuery[],
  { depth, kept, urls }: Pick<QueryAnswers, 'depth' | 'kept' | 'urls'>,
  numberOf: (url: string) => number | undefined,
): ClickFacts | undefined {
  if (queries.every(({ clicks = [] }) => clicks.length === 0)) return undefined
  const trust = new Float64Array(queries.length)
  const shares = new Float64Array(urls.length)
  const others = new Map<number, Map<number, number>>()
  for (const [query, { clicks = [] }] of queries.entries()) {
    const weightOf = new Map<number, number>()
    let [total, squares] = [0, 0]
    for (const click of clicks) {
      const url = numberOf(canonicalUrl(click.url) ?? '')
      if (url === undefined) continue
      weightOf.set(url, (weightOf.get(url) ?? 0) + click.weight)
      total += click.weight
      squares += click.squares
    }
    if (!(total > 0 && squares > 0)) continue
    const effective = total ** 2 / squares
    trust[query] = effective / (effective + RANKS_WORTH_CLICKS)
    for (let i = 0; i < kept[query]; i++) {
      const place = query * depth + i
      shares[place] = (weightOf.get(urls[place]) ?? 0) / total
      weightOf.delete(urls[place])
    }
    for (const [url, weight] of weightOf) weightOf.set(url, weight / total)
    others.set(query, weightOf)
  }
  return { trust, shares, others }
}

/**
 * What a query's results are worth to it, shifted as far as clicks are believed towards the shares that searchers chose.
 * What is shared out stays the same; without clicks nothing changes.
 */
export function shiftedByClicks(
  values: Float64Array,
  { depth, clicks }: Pick<QueryAnswers, 'depth' | 'clicks'>,
  query: number,
): Float64Array {
  const trust = clicks?.trust[query] ?? 0
  if (clicks === undefined || trust === 0) return values
  const total = values.reduce((sum, value) => sum + value, 0)
  return values.map(
    (value, i) => (1 - trust) * value + trust * clicks.shares[query * depth + i] * total,
  )
}
