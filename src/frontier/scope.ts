import { SettingError } from '#errors/setting-error.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { trapSign } from '#parse/url/trap-signs.ts'
import { globTest } from './glob.ts'

export const SCOPES = ['host', 'domain', 'anywhere'] as const

/** How far from its seeds a crawl may stray. */
export type Scope = (typeof SCOPES)[number]

/** Which URLs belong to a crawl. */
export interface ScopeRules {
  readonly scope: Scope
  /** If there are any, a URL must match one of them. */
  readonly include?: readonly string[]
  /** A URL must match none of them. */
  readonly exclude?: readonly string[]
  /** Links from the nearest seed. */
  readonly maxDepth?: number
}

/**
 * Why a URL found at some depth is left alone, or undefined when it belongs to the crawl. A sitemap that a host
 * of the crawl names in robots.txt may lie anywhere, but is bound by the other rules.
 */
export interface ScopeTest {
  (url: string, depth: number, isNamedSitemap?: boolean): string | undefined
  /** How many links were left alone so far, by the reason. */
  readonly refused?: ReadonlyMap<string, number>
}

/** The reason for links that match no `include`. */
export const NOT_INCLUDED = 'not included'

/** Judges URLs by the rules; seeds themselves are always welcome. */
export function scopeTest(rules: ScopeRules, seeds: readonly string[]): ScopeTest {
  const isNear = nearnessTest(rules.scope, seeds)
  const included = (rules.include ?? []).map(globTest)
  const excluded = (rules.exclude ?? []).map(globTest)
  const maxDepth = rules.maxDepth ?? Number.POSITIVE_INFINITY
  const welcome = new Set(seeds)
  const reasonFor = (url: string, depth: number, isNamedSitemap: boolean) => {
    if (welcome.has(url)) return undefined
    if (depth > maxDepth) return `deeper than ${maxDepth} links from a seed`
    if (!isNamedSitemap && !isNear(url)) return `outside the seeds' ${rules.scope}`
    if (excluded.some((matches) => matches(url))) return 'excluded'
    if (included.length > 0 && !included.some((matches) => matches(url))) return NOT_INCLUDED
    return trapSign(url)
  }
  const refused = new Map<string, number>()
  const test = (url: string, depth: number, isNamedSitemap = false) => {
    const reason = reasonFor(url, depth, isNamedSitemap)
    if (reason !== undefined) refused.set(reason, (refused.get(reason) ?? 0) + 1)
    return reason
  }
  return Object.assign(test, { refused })
}

function nearnessTest(scope: Scope, seeds: readonly string[]): (url: string) => boolean {
  switch (scope) {
    case 'anywhere':
      return () => true
    case 'host': {
      const hosts = new Set(seeds.map(siteOf))
      return (url) => hosts.has(siteOf(url))
    }
    case 'domain': {
      const domains = new Set(seeds.map((seed) => registrableDomain(hostOf(seed))))
      return (url) => domains.has(registrableDomain(hostOf(url)))
    }
  }
}

/** The host, with or without `www.`: most sites answer under one and redirect from the other. */
function siteOf(url: string): string {
  return hostOf(url).replace(/^www\./, '')
}

/** The scope a user named, or a clear complaint. */
export function parseScope(text: string): Scope {
  const scope = SCOPES.find((candidate) => candidate === text)
  if (!scope)
    throw new SettingError('scope', `{scope} must be one of ${SCOPES.join(', ')}, not "${text}"`)
  return scope
}
