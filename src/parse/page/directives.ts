import { parseWebDate } from '../text/web-date.ts'

/** What a page asks of those who index it, by meta robots or X-Robots-Tag. */
export interface Directives {
  readonly noindex: boolean
  readonly nofollow: boolean
  readonly noarchive: boolean
  readonly nosnippet: boolean
  /** Not to be shown after this time; seconds since 1970. */
  readonly unavailableAfter?: number
}

export const NO_DIRECTIVES: Directives = {
  noindex: false,
  nofollow: false,
  noarchive: false,
  nosnippet: false,
}

// A date has a comma of its own after the day of the week.
const PART =
  /\s*(?:[^\s,:]+\s*:\s*)?unavailable_after\s*:\s*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},)?[^,]*|[^,]+/gi
/** Directives with a colon of their own; any other word before a colon names an agent. */
const WITH_VALUE = /^(?:unavailable_after|max-snippet|max-image-preview|max-video-preview)$/

/** What X-Robots-Tag headers ask of an agent: what they ask of everybody, and of it by name. */
export function readDirectives(
  values: string | readonly string[] | undefined,
  agentToken: string,
): Directives {
  const agent = agentToken.toLowerCase()
  let asked = NO_DIRECTIVES
  for (const value of values === undefined ? [] : [values].flat())
    asked = mergeDirectives(
      asked,
      readLine(value, (name) => name === agent || name === '*'),
    )
  return asked
}

/** Whether usage preferences (`Content-Usage: search=n`, `Content-Signal: search=no`) forbid what we fetch pages for. */
export function forbidsSearch(usage: string): boolean {
  return /(?:^|[\s,;])search\s*=\s*no?\s*(?:$|[,;])/i.test(usage)
}

/** What the content of a meta robots element asks; whom it asks, its name has said. */
export function readMetaDirectives(content: string): Directives {
  return readLine(content, () => true)
}

/** Both sets of directives at once: the stricter one holds. */
export function mergeDirectives(a: Directives, b: Directives): Directives {
  const until = Math.min(a.unavailableAfter ?? Infinity, b.unavailableAfter ?? Infinity)
  return {
    noindex: a.noindex || b.noindex,
    nofollow: a.nofollow || b.nofollow,
    noarchive: a.noarchive || b.noarchive,
    nosnippet: a.nosnippet || b.nosnippet,
    ...(until !== Infinity && { unavailableAfter: until }),
  }
}

function readLine(line: string, isForUs: (agent: string) => boolean): Directives {
  let asked = NO_DIRECTIVES
  let forUs = true // until the line names an agent
  for (const [part] of line.matchAll(PART)) {
    const colon = part.indexOf(':')
    const name = colon < 0 ? '' : part.slice(0, colon).trim().toLowerCase()
    if (WITH_VALUE.test(name)) {
      if (forUs) asked = mergeDirectives(asked, withValue(name, part.slice(colon + 1)))
      continue
    }
    if (colon >= 0) forUs = isForUs(name)
    if (!forUs) continue
    // `forager: unavailable_after: <date>` names the agent and has a value as well.
    const rest = part.slice(colon + 1)
    const inner = colon < 0 ? -1 : rest.indexOf(':')
    const directive =
      inner < 0
        ? plain(rest)
        : withValue(rest.slice(0, inner).trim().toLowerCase(), rest.slice(inner + 1))
    asked = mergeDirectives(asked, directive)
  }
  return asked
}

/** Some sites part their directives by white space alone. */
function plain(words: string): Directives {
  const has = new Set(words.trim().toLowerCase().split(/\s+/))
  const none = has.has('none')
  return {
    noindex: none || has.has('noindex'),
    nofollow: none || has.has('nofollow'),
    noarchive: has.has('noarchive') || has.has('nocache'),
    nosnippet: has.has('nosnippet'),
  }
}

function withValue(name: string, value: string): Directives {
  if (name === 'max-snippet') return { ...NO_DIRECTIVES, nosnippet: value.trim() === '0' }
  const until = name === 'unavailable_after' ? parseWebDate(value) : undefined
  return until === undefined ? NO_DIRECTIVES : { ...NO_DIRECTIVES, unavailableAfter: until }
}
