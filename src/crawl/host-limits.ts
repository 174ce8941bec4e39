import type { Frontier } from '#frontier/frontier.ts'
import type { HostLimits } from '#frontier/instructions.ts'

/** What settings say of single hosts, by their names. */
export type HostLimitsOf = (host: string) => HostLimits | undefined

/**
 * A limit as it holds for each host: what an operator said of the host, else the settings of its site, else what holds for
 * all. Undefined where nothing is limited.
 */
export function hostLimit(
  name: keyof HostLimits,
  { urls, instructed }: Frontier,
  ofSites: HostLimitsOf | undefined,
  ofAll: number | undefined,
): number | Float64Array | undefined {
  if (!ofSites && !instructed.hasTerms) return ofAll
  let isLimited = false
  const limits = Float64Array.from({ length: urls.hostCount }, (_, number) => {
    const host = urls.hostName(number)
    const limit = instructed.limitsOf(host)[name] ?? ofSites?.(host)?.[name] ?? ofAll
    isLimited ||= limit !== undefined
    return limit ?? Number.POSITIVE_INFINITY
  })
  return isLimited ? limits : undefined
}
