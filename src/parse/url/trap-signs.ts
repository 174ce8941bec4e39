import { hostOf } from './canonical-url.ts'

// Generous on purpose: real sites have deep folders and long forms. What slips through is throttled
// by what it yields.
const MAX_PATH_CHARS = 512 // an escape counts as one
const MAX_SEGMENTS = 20
const MAX_PARAMETERS = 16
const MAX_SAME_PARAMETER = 8
const MAX_SAME_SEGMENT = 3
const MAX_RUN_OF_NUMBERS = 5

const SESSION_SEGMENT =
  /^(?:\(\w\([0-9a-z]{16,}\)\)|(?:s|sid|sess|session|sessionid|phpsessid|jsessionid)[-_=:.][0-9a-f]{16,})$/i
const CALENDAR_PARAMETER =
  /^(?:year|yr|jahr|month|date|day|cal|calendar|start_?date|end_?date|event_?date|tribe-bar-date|ical)$/i
const CALENDAR_WORD = /^(?:calendar|calendrier|kalender|calendario|events?|agenda|termine)$/i

/**
 * Why a canonical URL looks like part of an endless space, if it does. Judged by the URL alone,
 * so only by signs that good URLs do not have.
 */
export function trapSign(url: string): string | undefined {
  const host = hostOf(url)
  const rest = url.slice(url.indexOf('//') + 2 + host.length)
  const mark = rest.indexOf('?')
  const path = mark < 0 ? rest : rest.slice(0, mark)
  if (path.length - 2 * path.split('%').length > MAX_PATH_CHARS) return 'a very long path'
  const segments = path.split('/').filter((segment) => segment !== '')
  if (segments.length > MAX_SEGMENTS) return `a path of ${segments.length} segments`
  return (
    repetition(segments) ??
    sessionId(segments) ??
    calendarPath(segments) ??
    (mark < 0 ? undefined : querySign(rest.slice(mark + 1)))
  )
}

function repetition(segments: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  for (const [segment, count] of counts)
    if (count > MAX_SAME_SEGMENT && !isNumber(segment))
      return `the segment "${shown(segment)}" stands ${count} times`
  for (let period = 1; period * 3 <= segments.length; period++) {
    let same = 0 // segments in a row that equal the one a period before
    for (let at = period; at < segments.length; at++) {
      same = segments[at] === segments[at - period] ? same + 1 : 0
      const needed = isNumber(segments[at]) ? MAX_RUN_OF_NUMBERS * period : 2 * period
      if (same >= needed) {
        const cycle = segments.slice(at - period + 1, at + 1).join('/')
        return `"${shown(cycle)}" stands three times in a row`
      }
    }
  }
  return undefined
}

function sessionId(segments: readonly string[]): string | undefined {
  return segments.some((segment) => SESSION_SEGMENT.test(segment))
    ? 'a session id in the path'
    : undefined
}

/** `/3024/07/12/`, `/3024-07`, or `/calendar/3024/07`: a calendar that has no end. */
function calendarPath(segments: readonly string[]): string | undefined {
  const underCalendar = segments.some((segment) => CALENDAR_WORD.test(segment))
  for (const [at, segment] of segments.entries()) {
    const dashed = /^(\d{4})-(\d\d)(?:-\d\d)?$/.exec(segment)
    if (dashed && isMonth(dashed[2]) && !isYearOfArchives(Number(dashed[1])))
      return `the year ${dashed[1]}`
    if (!/^\d{4}$/.test(segment) || !isMonth(segments[at + 1])) continue
    const isDate = isDayOfMonth(segments[at + 2]) || underCalendar
    if (isDate && !isYearOfArchives(Number(segment))) return `the year ${segment}`
  }
  return undefined
}

function querySign(query: string): string | undefined {
  const parameters = query.split('&')
  if (parameters.length > MAX_PARAMETERS) return `${parameters.length} parameters`
  const counts = new Map<string, number>()
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=')
    const name = (equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase()
    if (name.startsWith('amp;amp;')) return 'ampersands escaped again and again'
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (count > MAX_SAME_PARAMETER) return `the parameter "${shown(name)}" stands ${count} times`
    const year =
      CALENDAR_PARAMETER.test(name) && /^(\d{4})(?:-|$)/.exec(parameter.slice(equals + 1))
    if (year && !isYearOfCalendars(Number(year[1]))) return `the year ${year[1]}`
  }
  return undefined
}

/** Newspapers have put their centuries online under dated paths; Thailand is 543 years ahead. */
function isYearOfArchives(year: number): boolean {
  return (year >= 1500 && year <= 2100) || (year >= 2400 && year <= 2643)
}

function isYearOfCalendars(year: number): boolean {
  return isYearOfArchives(year) && year >= 1900
}

function isMonth(segment: string | undefined): boolean {
  return segment !== undefined && /^(?:0?[1-9]|1[0-2])$/.test(segment)
}

function isDayOfMonth(segment: string | undefined): boolean {
  return segment !== undefined && /^(?:0?[1-9]|[12]\d|3[01])$/.test(segment)
}

function isNumber(segment: string): boolean {
  return /^\d+$/.test(segment)
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
