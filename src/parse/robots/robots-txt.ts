import { normalizePercentEncoding } from '../url/percent-encoding.ts'
import {
  type Lines,
  MAX_PATTERN_CHARS,
  type PatternLine,
  RobotsPatterns,
} from './robots-patterns.ts'
import { RuleLines } from './rule-lines.ts'

/** RFC 9309 §2.5 asks for at least this much; what comes after it is not read. */
const MAX_CHARS = 500 * 1024
/** More Sitemap lines than this are a flood, not a help. */
const MAX_SITEMAPS = 1000
/** Longer rules are looked up where the file is. */
const MAX_RULES_CHARS = 20_000
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const STAR = 0x2a
const DOLLAR = 0x24

/** A `Content-Usage` line, or a `Content-Signal` one: what may be done with the pages its pattern matches. */
interface UsageRule extends PatternLine {
  /** The preferences, word for word. */
  readonly usage: string
}

/** A run of User-agent lines, and the rules that follow them. */
interface Run {
  /** User-agent lines so far. */
  agentLines: number
  /** The next User-agent line begins another run. */
  hasRules: boolean
  /** Its Allow and Disallow lines, by their numbers in the file. */
  readonly firstRule: number
  endRule: number
  /** Values of its lines about what may be done with pages. */
  readonly usages: string[]
  /** A delay is said to the agents named before it. */
  readonly delays: { readonly seconds: number; readonly agentLines: number }[]
}

/** A run that names an agent, first by this of its User-agent lines. */
interface Part {
  readonly run: Run
  readonly agentLine: number
}

/** All rules for one agent. */
interface Group {
  readonly rules: RobotsPatterns<PatternLine>
  /** Its Allow and Disallow lines, in their order. */
  readonly lines: Lines<PatternLine>
  readonly usages: RobotsPatterns<UsageRule>
  /** Where two delays are given, the longer one counts. */
  readonly crawlDelaySeconds: number | undefined
}

/** A group by reference to the runs that name it: many agents may share many rules. */
class FileGroup implements Group {
  readonly #fileRules: RuleLines
  readonly #parts: Part[] = []
  #rules: RobotsPatterns<PatternLine> | undefined
  #usages: RobotsPatterns<UsageRule> | undefined
  #delaySeconds: number | undefined // negative for none

  constructor(fileRules: RuleLines) {
    this.#fileRules = fileRules
  }

  join(run: Run): void {
    run.agentLines++
    if (this.#parts.at(-1)?.run === run) return // named again
    this.#parts.push({ run, agentLine: run.agentLines })
  }

  /** Made ready when first asked, as most groups speak to others. */
  get rules(): RobotsPatterns<PatternLine> {
    this.#rules ??= patternsOf(this.lines)
    return this.#rules
  }

  get lines(): Lines<PatternLine> {
    return this.#fileRules.of(this.#parts.map(({ run }) => run))
  }

  get usages(): RobotsPatterns<UsageRule> {
    const written = () => this.#parts.flatMap(({ run }) => run.usages)
    this.#usages ??= new RobotsPatterns(written(), usageRuleOf)
    return this.#usages
  }

  get crawlDelaySeconds(): number | undefined {
    this.#delaySeconds ??= this.#parts.reduce(
      (slowest, part) => Math.max(slowest, slowestDelay(part)),
      -1,
    )
    return this.#delaySeconds < 0 ? undefined : this.#delaySeconds
  }
}

/** What a host's robots.txt says: groups by lower-case product token, `*` for everybody else. */
export interface Robots {
  readonly groups: ReadonlyMap<string, Group>
  readonly sitemaps: readonly string[]
}

export interface Verdict {
  readonly allowed: boolean
  /** The line that decided, or '' if none did. */
  readonly rule: string
}

/** Reads robots.txt by RFC 9309; takes any text and ignores what it does not understand. */
export function parseRobots(text: string): Robots {
  const groups = new Map<string, FileGroup>()
  const sitemaps: string[] = []
  const rules = new RuleLines(text)
  let run = newRun(0)
  for (const { line, start } of linesOf(text)) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const key = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (key === 'user-agent') {
      if (run.hasRules) run = newRun(rules.length)
      groupOf(productToken(value), groups, rules).join(run)
    } else if (key === 'allow' || key === 'disallow') {
      run.hasRules = true
      if (value === '') continue
      run.endRule = rules.add(key === 'allow', start + line.indexOf(value, colon + 1), value.length)
    } else if (key === 'content-usage' || key === 'content-signal') {
      run.hasRules = true
      if (value !== '') run.usages.push(value)
    } else if (key === 'crawl-delay') {
      // Not in the RFC, so it must not end the run of User-agent lines.
      const seconds = Number(value || Number.NaN)
      if (seconds >= 0 && Number.isFinite(seconds))
        run.delays.push({ seconds, agentLines: run.agentLines })
    } else if (key === 'sitemap' && value !== '' && sitemaps.length < MAX_SITEMAPS)
      sitemaps.push(value)
  }
  return { groups, sitemaps }
}

/** Whether the agent (its product token, in any case) may fetch the URL, and which line says so. */
export function isAllowed(robots: Robots, agentToken: string, url: string): Verdict {
  const path = pathOf(url)
  if (path === '/robots.txt') return { allowed: true, rule: '' }
  const rule = groupFor(robots, agentToken)?.rules.find(path)
  if (!rule) return { allowed: true, rule: '' }
  return { allowed: rule.allow, rule: `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern}` }
}

/**
 * The rules for an agent as a robots.txt of their own, which says the same to everybody; '' if they forbid nothing.
 * Undefined where they are too long to be passed on.
 */
export function rulesFor(robots: Robots, agentToken: string): string | undefined {
  const lines = groupFor(robots, agentToken)?.lines
  let text = 'User-agent: *'
  let forbids = false
  for (let i = 0; i < (lines?.length ?? 0); i++) {
    const { allow, pattern } = lines!.at(i)!
    forbids ||= !allow
    if (text.length <= MAX_RULES_CHARS) text += `\n${allow ? 'Allow' : 'Disallow'}: ${pattern}`
  }
  if (!forbids) return ''
  return text.length > MAX_RULES_CHARS ? undefined : text
}

/**
 * What a file says to one agent, ready to be asked. It has a text of its own: a stranger may name thousands of agents,
 * and the file need not stay in memory for what it says to us.
 */
export function robotsFor(robots: Robots, agentToken: string): Robots {
  const name = groupNameFor(robots, agentToken)
  const groups = new Map(name === undefined ? [] : [[name, apart(robots.groups.get(name)!)]])
  return { groups, sitemaps: robots.sitemaps.map(apartFrom) }
}

function apart({ lines, usages, crawlDelaySeconds }: Group): Group {
  const rules = patternsOf(lines)
  return { rules, lines: rules.lines, usages, crawlDelaySeconds }
}

function patternsOf(lines: Lines<PatternLine>): RobotsPatterns<PatternLine> {
  const written = Array.from({ length: lines.length }, (_, order) => writtenOf(lines.at(order)!))
  return new RobotsPatterns(written, patternLineOf)
}

/** So much of it that it can be told whether it is too long. */
function writtenOf({ allow, pattern }: PatternLine): string {
  return (allow ? '+' : '-') + pattern.slice(0, MAX_PATTERN_CHARS + 1)
}

function patternLineOf(written: string): PatternLine {
  return { allow: written.startsWith('+'), pattern: written.slice(1) }
}

/** The same text by itself: one that was cut from another keeps all of that. */
function apartFrom(text: string): string {
  return Buffer.from(text).toString()
}

/** How long the agent is asked to wait between two fetches, if it is asked. */
export function crawlDelaySeconds(robots: Robots, agentToken: string): number | undefined {
  return groupFor(robots, agentToken)?.crawlDelaySeconds
}

/** What robots.txt wants done or not done with the page (`Content-Usage`, `Content-Signal`), word for word. */
export function contentUsage(robots: Robots, agentToken: string, url: string): string | undefined {
  const usages = groupFor(robots, agentToken)?.usages
  return usages && !usages.isEmpty ? usages.find(pathOf(url))?.usage : undefined
}

/** The group that holds for the agent: its own name, `*`, or none. */
export function groupNameFor(robots: Robots, agentToken: string): string | undefined {
  const own = productToken(agentToken)
  if (robots.groups.has(own)) return own
  return robots.groups.has('*') ? '*' : undefined
}

function groupFor(robots: Robots, agentToken: string): Group | undefined {
  return robots.groups.get(productToken(agentToken)) ?? robots.groups.get('*')
}

/** Lines without comments; the last is dropped when the limit cut it, as half a rule is a wrong one. */
function* linesOf(text: string): Generator<{ line: string; start: number }> {
  const end = Math.min(text.length, MAX_CHARS)
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < end; ) {
    const lineEnd = endOfLine(text, start, end)
    if (lineEnd === end && end < text.length) return
    const line = text.slice(start, lineEnd)
    const hash = line.indexOf('#')
    yield { line: hash < 0 ? line : line.slice(0, hash), start }
    start = lineEnd + 1
  }
}

function endOfLine(text: string, start: number, end: number): number {
  let at = start
  for (; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === LINE_FEED || code === CARRIAGE_RETURN) break
  }
  return at
}

/** `forager` for `Forager/1.0 (+https://…)`. */
function productToken(agent: string): string {
  if (/^\*(?:\s|$)/.test(agent)) return '*'
  return /^[a-z_-]*/.exec(agent.toLowerCase())![0]
}

function slowestDelay({ run, agentLine }: Part): number {
  return run.delays.reduce(
    (slowest, { seconds, agentLines }) =>
      agentLines >= agentLine ? Math.max(seconds, slowest) : slowest,
    -1,
  )
}

function newRun(rule: number): Run {
  return { agentLines: 0, hasRules: false, firstRule: rule, endRule: rule, usages: [], delays: [] }
}

function groupOf(token: string, groups: Map<string, FileGroup>, rules: RuleLines): FileGroup {
  const known = groups.get(token)
  if (known) return known
  const group = new FileGroup(rules)
  groups.set(token, group)
  return group
}

/** `[pattern] preferences`; without a pattern it holds for the whole site. */
function usageRuleOf(value: string): UsageRule {
  const [, pattern = '/', usage] = /^(?:([/*]\S*)\s+)?(.+)$/.exec(value)!
  return { allow: false, pattern, usage }
}

/** Path and query as rules see them: literal `*` and `$` escaped, so that they match `%2A`, `%24`. */
function pathOf(url: string): string {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '')
  return withoutWildcards(normalizePercentEncoding(rest.startsWith('/') ? rest : `/${rest}`))
}

/** A loop, as `replaceAll` takes ten times as long where there are thousands of them. */
function withoutWildcards(path: string): string {
  if (!/[*$]/.test(path)) return path
  let done = ''
  let from = 0
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (code !== STAR && code !== DOLLAR) continue
    done += path.slice(from, at) + (code === STAR ? '%2A' : '%24')
    from = at + 1
  }
  return done + path.slice(from)
}
