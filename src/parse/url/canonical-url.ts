import { normalizePercentEncoding } from './percent-encoding.ts'

/** Longer URLs are traps far more often than pages. */
export const MAX_URL_CHARS = 2000
/**
 * What is longer before its fragment is not looked at. No escape is undone to less than a third, so little else
 * than session ids and the like could still make it short enough.
 */
const MAX_WRITTEN_CHARS = 3 * MAX_URL_CHARS
/** A longer base counts as none: parsed again for every link, one of megabytes would take quadratic time. */
export const MAX_BASE_CHARS = MAX_URL_CHARS
/** In the addresses of one document that have to be parsed, with their base: 50,000 of 160 characters. */
const MAX_PARSED_CHARS = 8_000_000
/** A query of more stays as it is: to sort thousands of links of hundreds of parameters takes long. */
const MAX_PARAMETERS = 64

// `;` is left out of clean paths for its session ids, and escapes for their many spellings.
const CLEAN_ABSOLUTE = /^https?:\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}\/[\w.~!$&'()*+,=:@/-]*$/
const CLEAN_PATH = /^\/(?!\/)[\w.~!$&'()*+,=:@/-]*$/
const CLEAN_RELATIVE = /^[\w~][\w.~!$&'()*+,=@/-]*$/ // no colon: it could end a scheme

const SESSION_PATH_PARAMETER = /;(?:jsessionid|phpsessid|sessionid|sid)=[^/;]*/gi
const SESSION_PARAMETER = /^(?:phpsessid|jsessionid|aspsessionid[a-z]*|cfid|cftoken|oscsid|zenid)$/
// These names also serve as plain ids (`?sid=42`), so the value has to look like a session's too.
const PERHAPS_SESSION_PARAMETER = /^(?:sid|sessid|sessionid|session_id)$/
const LIKE_A_SESSION_ID = /^(?=[a-z]*\d)[0-9a-z]{16,}$/i
const TRACKING_PARAMETER =
  /^(?:utm_.*|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|mc_cid|mc_eid|yclid|_openstat|igshid|twclid|ttclid|li_fat_id|_ga|_gl|_hsenc|_hsmi|mkt_tok|srsltid)$/

/**
 * The one address under which we know a page: absolute, http or https, without fragment, user,
 * tracking or session parameters. Undefined for what is no web address or is overlong.
 * A trailing slash, `index.html`, `www.` and http against https are differences we keep: whether
 * they matter is the server's choice.
 */
export function canonicalUrl(raw: string, base?: string): string | undefined {
  return raw.length <= MAX_URL_CHARS && isClean(raw) ? raw : canonicalUrlByParsing(raw, base)
}

/**
 * What `canonicalUrl` gives for the links of one page, with the work on the page's address done
 * once.
 */
export function urlResolver(base: string): (raw: string) => string | undefined {
  const usableBase = base.length <= MAX_BASE_CHARS ? base : undefined
  const root = usableBase && rootOf(usableBase)
  const folder = usableBase && folderOf(usableBase)
  const origin = root?.slice(0, -1)
  let charsLeft = MAX_PARSED_CHARS
  return (raw) => {
    const clean = raw.startsWith('#') ? raw : withoutFragment(raw)
    if (clean.length > MAX_WRITTEN_CHARS) return undefined
    if (raw.startsWith('http')) {
      if (isClean(clean)) return withinLimit(clean)
    } else if (!clean.includes('/.')) {
      if (origin && CLEAN_PATH.test(clean)) return withinLimit(origin + clean)
      if (folder && CLEAN_RELATIVE.test(clean)) return withinLimit(folder + clean)
    }
    charsLeft -= clean.length + (raw.startsWith('http') ? 0 : (usableBase?.length ?? 0))
    return charsLeft < 0 ? undefined : canonicalUrlByParsing(raw, usableBase)
  }
}

function rootOf(base: string): string | undefined {
  if (!isClean(base)) return canonicalUrlByParsing('/', base)
  return base.slice(0, base.indexOf('/', 'https://'.length) + 1)
}

function folderOf(base: string): string | undefined {
  return isClean(base)
    ? base.slice(0, base.lastIndexOf('/') + 1)
    : canonicalUrlByParsing('./', base)
}

/** The host of a canonical URL, with its port if that is not the scheme's own; '' for other text. */
export function hostOf(url: string): string {
  const slashes = url.indexOf('//')
  if (slashes < 0) return ''
  const end = url.indexOf('/', slashes + 2)
  return url.slice(slashes + 2, end < 0 ? undefined : end)
}

/** The long way to `canonicalUrl`; the short cuts above must agree with it. */
export function canonicalUrlByParsing(raw: string, base?: string): string | undefined {
  const written = raw.length > MAX_WRITTEN_CHARS ? withoutFragment(raw) : raw
  if (written.length > MAX_WRITTEN_CHARS) return undefined
  const url = URL.parse(written, base) ?? URL.parse(written) // a bad base spoils only relative links
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  if (url.pathname.length + url.search.length > MAX_WRITTEN_CHARS) return undefined
  const host = canonicalHost(url)
  if (host === undefined) return undefined
  const query = canonicalQuery(url.search.slice(1))
  return withinLimit(`${url.protocol}//${host}${canonicalPath(url)}${query && `?${query}`}`)
}

/** Already canonical, as most absolute links are. */
function isClean(raw: string): boolean {
  return CLEAN_ABSOLUTE.test(raw) && !raw.includes('/.') && !raw.includes('xn--')
}

function withoutFragment(raw: string): string {
  const fragment = raw.indexOf('#')
  return fragment < 0 ? raw : raw.slice(0, fragment)
}

function withinLimit(url: string): string | undefined {
  return url.length <= MAX_URL_CHARS ? url : undefined
}

/** The root's dot (`example.org.`) says nothing; a host with an empty label cannot be looked up. */
function canonicalHost(url: URL): string | undefined {
  const name = url.hostname.replace(/\.$/, '')
  if (name === '' || name.startsWith('.') || url.hostname.includes('..')) return undefined
  return url.port ? `${name}:${url.port}` : name
}

function canonicalPath(url: URL): string {
  const path = normalizePercentEncoding(url.pathname)
  const withoutSession = path.replace(SESSION_PATH_PARAMETER, '')
  if (withoutSession === path) return path
  url.pathname = withoutSession // `/..;sid=1/` has just become a dot segment
  return normalizePercentEncoding(url.pathname)
}

/**
 * Sorted by name, as `?a=1&b=2` and `?b=2&a=1` are one page nearly everywhere; equal names keep
 * their order, which may matter. A query not made of name=value pairs (`?SomePage&edit`) keeps its
 * order as well, since position is then all it has to say.
 */
function canonicalQuery(search: string): string {
  if (search === '') return ''
  const query = normalizePercentEncoding(search)
  const all = query.split('&')
  if (all.length > MAX_PARAMETERS) return query
  const parameters = all.filter(saysSomething)
  if (parameters.every((parameter) => parameter.indexOf('=') > 0)) parameters.sort(byName)
  return parameters.join('&')
}

function saysSomething(parameter: string): boolean {
  if (parameter === '') return false
  const name = nameOf(parameter).toLowerCase()
  if (TRACKING_PARAMETER.test(name) || SESSION_PARAMETER.test(name)) return false
  const value = parameter.slice(name.length + 1)
  return !(PERHAPS_SESSION_PARAMETER.test(name) && LIKE_A_SESSION_ID.test(value))
}

function byName(a: string, b: string): number {
  const nameA = nameOf(a)
  const nameB = nameOf(b)
  return nameA < nameB ? -1 : nameA > nameB ? 1 : 0
}

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=')
  return equals < 0 ? parameter : parameter.slice(0, equals)
}
