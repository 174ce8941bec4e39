import type { ScopeTest } from '#frontier/scope.ts'
import type { CrawlStore } from '#repository/state/crawl-store.ts'

/** Links that lead out of scope, by the reason, and one or two of each; nothing without any. */
export interface LinksLeftAlone {
  readonly outOfScope?: Readonly<Record<string, number>>
  readonly outOfScopeExamples?: Readonly<Record<string, readonly string[]>>
}

const KEPT_AS = 'links left alone'

/** Counts links that are left alone from the directory's beginning on: each cycle keeps what it counted. */
export async function keepLinksLeftAlone(store: CrawlStore, scope: ScopeTest): Promise<void> {
  const before = await storedLinksLeftAlone(store)
  store.keepWithCycles(() => ({ [KEPT_AS]: JSON.stringify(withRefused(before, scope)) }))
}

/** As far as the tables know. */
export async function storedLinksLeftAlone(store: CrawlStore): Promise<LinksLeftAlone> {
  return JSON.parse((await store.setting(KEPT_AS)) ?? '{}')
}

/** Those of one run: `before` it the scope had refused so many. */
export function linksLeftAloneSince(
  before: NonNullable<ScopeTest['refused']>,
  { refused = new Map() }: ScopeTest,
): LinksLeftAlone {
  const counts = [...refused].map(
    ([reason, { count }]) => [reason, count - (before.get(reason)?.count ?? 0)] as const,
  )
  const outOfScope = Object.fromEntries(counts.filter(([, count]) => count > 0))
  const reasons = Object.keys(outOfScope)
  if (reasons.length === 0) return {}
  const examplesOf = (reason: string) => refused.get(reason)?.examples ?? []
  const examples = reasons.map((reason) => [reason, examplesOf(reason)] as const)
  return { outOfScope, outOfScopeExamples: Object.fromEntries(examples) }
}

function withRefused(before: LinksLeftAlone, scope: ScopeTest): LinksLeftAlone {
  const now = linksLeftAloneSince(new Map(), scope)
  const outOfScope = { ...before.outOfScope }
  for (const [reason, count] of Object.entries(now.outOfScope ?? {}))
    outOfScope[reason] = (outOfScope[reason] ?? 0) + count
  const outOfScopeExamples = { ...now.outOfScopeExamples, ...before.outOfScopeExamples }
  return Object.keys(outOfScope).length === 0 ? {} : { outOfScope, outOfScopeExamples }
}
