import type { StoredSettings } from '#repository/log/stored-rules.ts'

/** A policy, and the first cycle that it may have planned. */
interface PolicyPeriod {
  readonly policy: string
  readonly fromCycle: number
}

const KEPT_AS = 'policies'

/** The policies of a crawl, in the order in which they came; empty where nobody noted them. */
export function policyHistory(settings: StoredSettings): PolicyPeriod[] {
  return JSON.parse(settings.get(KEPT_AS) ?? '[]')
}

/** The setting that notes a policy from a cycle on; nothing if it is the one that was there. */
export function notedPolicy(
  settings: StoredSettings,
  policy: string,
  cycle: number,
): Readonly<Record<string, string>> {
  const history = policyHistory(settings)
  if (history.at(-1)?.policy === policy) return {}
  // One that planned nothing did nothing.
  const planned = history.filter(({ fromCycle }) => fromCycle <= cycle)
  return { [KEPT_AS]: JSON.stringify([...planned, { policy, fromCycle: cycle + 1 }]) }
}
