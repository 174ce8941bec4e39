import { hostOf, MAX_URL_CHARS } from './canonical-url.ts'

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi
/** Words that look like no word: hex with a digit, or capitals, small letters and digits mixed. */
const HEX = /(?<![a-z0-9])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}(?![a-z0-9])/gi
const MIXED =
  /(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])[A-Za-z0-9_-]{10,}(?![A-Za-z0-9])/g
const LONG_TOKEN = /(?<![a-z0-9])(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{20,}(?![a-z0-9])/gi
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i
const FOREIGN_WORDS = /[\w-]{0,20}(?:%[0-9a-f]{2}[\w-]*){4,}/gi
/** Hyphens of a headline: a segment of four words or more counts as an id. */
const JOINTS = /[-_+]|%20/g
const HEADLINE_JOINTS = 3

/**
 * The shape of a canonical URL: the same for all URLs that one script of a site is likely to
 * answer. Host and path have `#` for numbers, `*` for ids and `~` for headlines; of the query
 * the names of its parameters are kept.
 */
export function urlPattern(address: string): string {
  const url = address.slice(0, MAX_URL_CHARS)
  const host = hostOf(url)
  const rest = host === '' ? url : url.slice(url.indexOf('//') + 2 + host.length)
  const mark = rest.indexOf('?')
  const path = mark < 0 ? rest : rest.slice(0, mark)
  const shape = host + path.split('/').map(segmentPattern).join('/')
  return mark < 0 ? shape : `${shape}?${queryPattern(rest.slice(mark + 1))}`
}

function segmentPattern(segment: string): string {
  const [name, ...parameters] = segment.split(';')
  const shape = MONTH.test(name) ? '#' : folded(name)
  return [shape, ...parameters.map(parameterName)].join(';')
}

function queryPattern(query: string): string {
  return [...new Set(query.split('&').map(parameterName))].join('&')
}

function parameterName(parameter: string): string {
  const equals = parameter.indexOf('=')
  return folded(equals < 0 ? parameter : parameter.slice(0, equals))
}

function folded(text: string): string {
  if (!/[\d%_+-]/.test(text)) return text // short words: most segments
  const withoutIds = text
    .replace(UUID, '*')
    .replace(HEX, '*')
    .replace(MIXED, '*')
    .replace(LONG_TOKEN, '*')
    .replace(FOREIGN_WORDS, '~')
  const dot = withoutIds.lastIndexOf('.')
  const name = dot < 0 ? withoutIds : withoutIds.slice(0, dot)
  const isHeadline = (name.match(JOINTS)?.length ?? 0) >= HEADLINE_JOINTS && /[a-z]/i.test(name)
  return (isHeadline ? `~${withoutIds.slice(name.length)}` : withoutIds).replace(/\d+/g, '#')
}
