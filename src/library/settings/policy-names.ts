import {
  isIdleWithoutQueries,
  predictsQuality,
  spendsOnCopies,
} from '#policy/planning/composition.ts'
import { isPolicyName, policyNamed } from '#policy/registry/policy-name.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'

/** Whether a policy says what it expects in quality, so that it can be compared with what was gained. */
export function thinksInQuality(name: string, registry: Registry = REGISTRY): boolean {
  return isPolicyName(name, registry) && predictsQuality(policyNamed(name, registry))
}

/** Why a policy that should fetch copies again fetches none, and what to do; undefined if it does its share. */
export function whyNoCopies(
  name: string,
  hasQueries: boolean,
  registry: Registry = REGISTRY,
): string | undefined {
  if (hasQueries || !isPolicyName(name, registry)) return undefined
  const composition = policyNamed(name, registry)
  if (!spendsOnCopies(composition) || !isIdleWithoutQueries(composition)) return undefined
  return `no queries are known, and ${composition.bidders.refresh?.name} goes by what searchers see, so that no copy is fetched again: bring a query log with forager queries import, or let uniform choose the copies`
}
