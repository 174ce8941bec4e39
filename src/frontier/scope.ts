import { SettingError } from '#errors/setting-error.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { bySpecificity, matchesUrl, parseSiteMatch } from '#parse/url/site-match.ts'
import { trapSign } from '#parse/url/trap-signs.ts'
import { globTest } from './glob.ts'
import type { Instructed } from './instructions.ts'

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
  /** What holds for single sites beside these. */
  readonly sites?: readonly SiteScope[]
}

/** Which URLs of one site belong to a crawl; a pattern that begins with a slash is compared with the path. */
interface SiteScope {
  readonly match: string
  /** In place of those for all. */
  readonly include?: readonly string[]
  /** Beside those for all. */
  readonly exclude?: readonly string[]
}

/**
 * Why a URL found at some depth is left alone, or undefined when it belongs to the crawl. A sitemap that a host
 * of the crawl names in robots.txt may lie anywhere, but is bound by the other rules.
 */
export interface ScopeTest {
  (url: string, depth: number, isNamedSitemap?: boolean): string | undefined
  /** The links that were left alone so far, by the reason. */
  readonly refused?: ReadonlyMap<string, RefusedLinks>
}

interface RefusedLinks {
  readonly count: number
  /** The first few. */
  readonly examples: readonly string[]
}

const EXAMPLES = 2

/** The reasons for links that match no `include`, or an `exclude`; of a site, with its name behind. */
export const NOT_INCLUDED = 'not included'
export const EXCLUDED = 'excluded'

/** Judges URLs by the rules; seeds themselves are always welcome, unless an operator excluded them since. */
export function scopeTest(
  rules: ScopeRules,
  seeds: readonly string[],
  instructed?: Pick<Instructed, 'exclusionOf'>,
): ScopeTest {
  const isNear = nearnessTest(rules.scope, seeds)
  const included = (rules.include ?? []).map(globTest)
  const excluded = (rules.exclude ?? []).map(globTest)
  const siteOf = siteScopes(rules.sites)
  const maxDepth = rules.maxDepth ?? Number.POSITIVE_INFINITY
  const welcome = new Set(seeds)
  const reasonFor = (url: string, depth: number, isNamedSitemap: boolean) => {
    if (instructed?.exclusionOf(url) !== undefined) return EXCLUDED
    if (welcome.has(url)) return undefined
    if (depth > maxDepth) return `deeper than ${maxDepth} links from a seed`
    if (!isNamedSitemap && !isNear(url)) return `outside the seeds' ${rules.scope}`
    if (excluded.some((matches) => matches(url))) return EXCLUDED
    const site = siteOf(url)
    if (site?.excluded.some((matches) => matches(url))) return `${EXCLUDED} for ${site.match}`
    if (site && site.included.length > 0) {
      if (!site.included.some((matches) => matches(url))) return `${NOT_INCLUDED} for ${site.match}`
    } else if (included.length > 0 && !included.some((matches) => matches(url))) return NOT_INCLUDED
    return trapSign(url)
  }
  const refused = new Map<string, RefusedLinks>()
  const test = (url: string, depth: number, isNamedSitemap = false) => {
    const reason = reasonFor(url, depth, isNamedSitemap)
    if (reason === undefined) return undefined
    const { count, examples } = refused.get(reason) ?? { count: 0, examples: [] }
    const isNew = examples.length < EXAMPLES && !examples.includes(url)
    refused.set(reason, { count: count + 1, examples: isNew ? [...examples, url] : examples })
    return reason
  }
  return Object.assign(test, { refused })
}

/** Finds the site of a URL whose match says most, if it has rules of its own. */
function siteScopes(scopes: readonly SiteScope[] = []) {
  const sites = scopes
    .flatMap(({ match, include = [], exclude = [] }) => {
      const at = parseSiteMatch(match)
      if ('fault' in at) return []
      return { match, at, included: include.map(patternTest), excluded: exclude.map(patternTest) }
    })
    .sort((a, b) => bySpecificity(a.at, b.at))
  if (sites.length === 0) return () => undefined
  return (url: string) => {
    const parsed = new URL(url)
    return sites.find(({ at }) => matchesUrl(at, parsed))
  }
}

/** What a pattern of a site matches. */
export function patternTest(pattern: string): (url: string) => boolean {
  if (!pattern.startsWith('/')) return globTest(pattern)
  const matches = globTest(pattern)
  return (url) => matches(url.slice(url.indexOf('/', url.indexOf('://') + 3)))
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
