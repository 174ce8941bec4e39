import { hostOf } from '#parse/canonical-url.ts'
import { registrableDomain } from '#parse/registrable-domain.ts'
import { UsageError } from '#parse/usage-error.ts'

export const SCOPES = ['host', 'domain', 'anywhere'] as const

/** How far from its seeds a crawl may stray. */
export type Scope = (typeof SCOPES)[number]

/** Tells whether a URL belongs to the crawl, given its seeds. */
export function scopeTest(scope: Scope, seeds: readonly string[]): (url: string) => boolean {
  switch (scope) {
    case 'anywhere':
      return () => true
    case 'host': {
      const hosts = new Set(seeds.map(hostOf))
      return (url) => hosts.has(hostOf(url))
    }
    case 'domain': {
      const domains = new Set(seeds.map((seed) => registrableDomain(hostOf(seed))))
      return (url) => domains.has(registrableDomain(hostOf(url)))
    }
  }
}

/** The scope a user named, or a clear complaint. */
export function parseScope(text: string): Scope {
  const scope = SCOPES.find((candidate) => candidate === text)
  if (!scope) throw new UsageError(`--scope must be one of ${SCOPES.join(', ')}, not "${text}"`)
  return scope
}
