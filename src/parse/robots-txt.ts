import { normalizePercentEncoding } from './percent-encoding.ts'

/** RFC 9309 §2.5 asks for at least this much; what comes after it is not read. */
const MAX_CHARS = 500 * 1024

interface Pattern {
  /** Escapes normalised; the longest pattern that matches decides. */
  readonly pattern: string
  /** What stands between the pattern's stars. */
  readonly pieces: readonly string[]
  /** The pattern ended in `$`. */
  readonly toTheEnd: boolean
}

interface Rule extends Pattern {
  readonly allow: boolean
  /** As written, for people. */
  readonly line: string
}

/** A `Content-Usage` line, or a `Content-Signal` one: what may be done with the pages its pattern matches. */
interface UsageRule extends Pattern {
  /** The preferences, word for word. */
  readonly usage: string
}

interface Group {
  /** Longest pattern first, and Allow before Disallow: so the first that matches decides. */
  readonly rules: Rule[]
  /** Longest pattern first. */
  readonly usages: UsageRule[]
  crawlDelaySeconds?: number
}

/** What a host's robots.txt says: groups by lower-case product token, `*` for everybody else. */
export interface Robots {
  readonly groups: ReadonlyMap<string, Readonly<Group>>
  readonly sitemaps: readonly string[]
}

export interface Verdict {
  readonly allowed: boolean
  /** The line that decided, or '' if none did. */
  readonly rule: string
}

/** Reads robots.txt by RFC 9309; takes any text and ignores what it does not understand. */
export function parseRobots(text: string): Robots {
  const groups = new Map<string, Group>()
  const sitemaps: string[] = []
  let current: Group[] = [] // those named by the latest run of User-agent lines
  let inRules = false
  for (const line of linesOf(text)) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const key = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (key === 'user-agent') {
      if (inRules) current = []
      inRules = false
      current.push(groupOf(productToken(value), groups))
    } else if (key === 'allow' || key === 'disallow') {
      inRules = true
      const rule = value === '' ? undefined : ruleOf(key === 'allow', value)
      if (rule) for (const group of new Set(current)) group.rules.push(rule)
    } else if (key === 'content-usage' || key === 'content-signal') {
      inRules = true
      const rule = usageRuleOf(value)
      if (rule) for (const group of new Set(current)) group.usages.push(rule)
    } else if (key === 'crawl-delay') {
      // Not in the RFC, so it must not end the run of User-agent lines. Asked twice, be slow.
      const seconds = Number(value || Number.NaN)
      if (seconds >= 0 && Number.isFinite(seconds))
        for (const group of current)
          group.crawlDelaySeconds = Math.max(seconds, group.crawlDelaySeconds ?? 0)
    } else if (key === 'sitemap' && value !== '') sitemaps.push(value)
  }
  for (const group of groups.values()) {
    group.rules.sort(byLengthThenAllow)
    group.usages.sort((a, b) => b.pattern.length - a.pattern.length)
  }
  return { groups, sitemaps }
}

/** Whether the agent (its product token, in any case) may fetch the URL, and which line says so. */
export function isAllowed(robots: Robots, agentToken: string, url: string): Verdict {
  const path = pathOf(url)
  if (path === '/robots.txt') return { allowed: true, rule: '' }
  const rule = groupFor(robots, agentToken)?.rules.find((rule) => matches(rule, path))
  return rule ? { allowed: rule.allow, rule: rule.line } : { allowed: true, rule: '' }
}

/** How long the agent is asked to wait between two fetches, if it is asked. */
export function crawlDelaySeconds(robots: Robots, agentToken: string): number | undefined {
  return groupFor(robots, agentToken)?.crawlDelaySeconds
}

/** What robots.txt wants done or not done with the page (`Content-Usage`, `Content-Signal`), word for word. */
export function contentUsage(robots: Robots, agentToken: string, url: string): string | undefined {
  const usages = groupFor(robots, agentToken)?.usages ?? []
  if (usages.length === 0) return undefined
  const path = pathOf(url)
  return usages.find((rule) => matches(rule, path))?.usage
}

/** The group that holds for the agent: its own name, `*`, or none. */
export function groupNameFor(robots: Robots, agentToken: string): string | undefined {
  const own = productToken(agentToken)
  if (robots.groups.has(own)) return own
  return robots.groups.has('*') ? '*' : undefined
}

function groupFor(robots: Robots, agentToken: string): Readonly<Group> | undefined {
  return robots.groups.get(productToken(agentToken)) ?? robots.groups.get('*')
}

/** Lines without comments; the last is dropped when the limit cut it, as half a rule is a wrong one. */
function linesOf(text: string): string[] {
  const lines = text
    .slice(0, MAX_CHARS)
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
  if (text.length > MAX_CHARS) lines.pop()
  return lines.map((line) => splitComment(line))
}

function splitComment(line: string): string {
  const hash = line.indexOf('#')
  return hash < 0 ? line : line.slice(0, hash)
}

/** `forager` for `Forager/1.0 (+https://…)`. */
function productToken(agent: string): string {
  if (/^\*(?:\s|$)/.test(agent)) return '*'
  return /^[a-z_-]*/.exec(agent.toLowerCase())![0]
}

function groupOf(token: string, groups: Map<string, Group>): Group {
  const known = groups.get(token)
  if (known) return known
  const group: Group = { rules: [], usages: [] }
  groups.set(token, group)
  return group
}

function ruleOf(allow: boolean, value: string): Rule {
  return { ...patternOf(value), allow, line: `${allow ? 'Allow' : 'Disallow'}: ${value}` }
}

/** `[pattern] preferences`; without a pattern it holds for the whole site. */
function usageRuleOf(value: string): UsageRule | undefined {
  const [, pattern = '/', usage] = /^(?:([/*]\S*)\s+)?(.+)$/.exec(value) ?? []
  return usage === undefined ? undefined : { ...patternOf(pattern), usage }
}

function patternOf(value: string): Pattern {
  const toTheEnd = value.endsWith('$')
  // `*` keeps its meaning; a `$` elsewhere than at the end is a plain character.
  const pattern = normalizePercentEncoding(toTheEnd ? value.slice(0, -1) : value)
  const pieces = pattern.replaceAll('$', '%24').split(/\*+/)
  return {
    pattern: toTheEnd ? `${pattern}$` : pattern,
    pieces,
    toTheEnd,
  }
}

function byLengthThenAllow(a: Rule, b: Rule): number {
  return b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow)
}

/** Path and query as rules see them: literal `*` and `$` escaped, so that they match `%2A`, `%24`. */
function pathOf(url: string): string {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  const path = normalizePercentEncoding(rest.startsWith('/') ? rest : `/${rest}`)
  return path.replaceAll('*', '%2A').replaceAll('$', '%24')
}

/**
 * Each piece is taken at its first chance, which is as good as any later one; so there is nothing
 * to go back to, however many stars there are.
 */
function matches({ pieces, toTheEnd }: Pattern, path: string): boolean {
  if (!path.startsWith(pieces[0])) return false
  let at = pieces[0].length
  const last = pieces.length - 1
  if (last === 0) return !toTheEnd || at === path.length
  for (let piece = 1; piece < last; piece++) {
    const found = path.indexOf(pieces[piece], at)
    if (found < 0) return false
    at = found + pieces[piece].length
  }
  if (toTheEnd) return path.endsWith(pieces[last]) && path.length - pieces[last].length >= at
  return path.indexOf(pieces[last], at) >= 0
}
