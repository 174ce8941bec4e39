import { SettingError } from '#errors/setting-error.ts'
import { isLoopback } from '#fetch/wire/resolve-rules.ts'
import { editDistance } from '#numeric/edit-distance.ts'
import { isJsonObject } from '#parse/text/json-value.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { parseSiteMatch } from '#parse/url/site-match.ts'
import { fieldsFault } from './field-list.ts'
import {
  amount,
  type Kind,
  listOf,
  quietWindow,
  timeSpan,
  whole,
  yesOrNo,
} from './setting-kinds.ts'
import { type SiteSetting, siteInFolder } from './site-setting.ts'

/** The list of own sites, in a config file only: secrets have no place on a command line. */
export const siteList: Kind<readonly SiteSetting[]> = {
  form: 'a list, each what holds for a site of your own',
  example: '[{ "match": "docs.example.org", "delay": 0.2 }]',
  fromText: () => undefined,
  fromJson: (json) => (siteFault(json) === undefined ? (json as SiteSetting[]) : undefined),
  fault: siteFault,
  inFolder: (sites, folder) => sites.map((site) => siteInFolder(site, folder)),
}

/** What is wrong with a list of sites, named as precisely as can be and without a word of any secret. */
function siteFault(json: unknown): string | undefined {
  try {
    readSites(json)
    return undefined
  } catch (error) {
    if (error instanceof SettingError) return error.reason
    throw error
  }
}

type Check = (json: unknown, path: string) => void

/** What an entry may have. */
const SITE: Readonly<Record<keyof SiteSetting, Check>> = {
  match: checkMatch,
  delay: (json, path) => checkKind(amount(), json, path),
  concurrency: (json, path) => checkKind(whole(1, 64), json, path),
  quietHours: (json, path) => checkKind(listOf(quietWindow), json, path),
  maxPages: (json, path) => checkKind(whole(1), json, path),
  refreshAfter: (json, path) => checkKind(timeSpan, json, path),
  scope: fields({ include: checkPatterns, exclude: checkPatterns }),
  fields: checkFields,
  headers: checkHeaders,
  credentials: checkCredentials,
  cookies: (json, path) => checkNamed(json, path, checkToken),
  allowHttp: (json, path) => checkKind(yesOrNo, json, path),
}

/** Those that hold for a host, whatever is asked of it. */
const HOST_SETTINGS = ['delay', 'concurrency', 'quietHours', 'maxPages', 'refreshAfter'] as const

function readSites(json: unknown): void {
  if (!Array.isArray(json))
    fail('sites', 'must be a list, as in [{ "match": "docs.example.org", "delay": 0.2 }]')
  const seen = new Map<string, number>()
  for (const [i, site] of json.entries()) {
    const path = `sites[${i}]`
    fields(SITE)(site, path)
    const { match } = site as SiteSetting
    if (match === undefined)
      fail(path, 'needs a match: the host that it is for, as in docs.example.org')
    const read = parseSiteMatch(match)
    if ('fault' in read) continue
    const { text: _, ...meant } = read
    const before = seen.get(JSON.stringify(meant))
    if (before !== undefined) fail(`${path}.match`, `is that of sites[${before}]: make one of both`)
    seen.set(JSON.stringify(meant), i)
    const ofHost = HOST_SETTINGS.find((name) => Object.hasOwn(site, name))
    if (meant.path !== '' && ofHost !== undefined)
      fail(
        `${path}.${ofHost}`,
        'is for whole hosts, and the match names a path: give the host an entry of its own',
      )
    checkWay(site as SiteSetting, path, read)
  }
}

/** Whoever asks for http by name must want it: secrets can be read on the way. */
function checkWay(site: SiteSetting, path: string, { scheme, hostname }: Way): void {
  if (scheme !== 'http' || site.allowHttp || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return
  if (site.credentials ?? site.cookies ?? site.headers)
    fail(
      `${path}.match`,
      'names http, where all on the way can read what is sent: write https, or add "allowHttp": true',
    )
}

interface Way {
  readonly scheme?: string
  readonly hostname: string
}

function checkMatch(json: unknown, path: string): void {
  if (typeof json !== 'string') fail(path, 'must be text, as in "docs.example.org"')
  const read = parseSiteMatch(json)
  if (!('fault' in read)) return
  // A password may stand before the @.
  const shown = json.includes('@') ? '' : ` "${plainText(json).slice(0, 60)}"`
  fail(path, `${shown.trimStart()} ${read.fault}`.trimStart())
}

function checkFields(json: unknown, path: string): void {
  const fault = fieldsFault(json)
  if (fault !== undefined) fail(`${path}${fault.field && `.${fault.field}`}`, fault.reason)
}

function checkPatterns(json: unknown, path: string): void {
  const isPattern = (one: unknown) => typeof one === 'string' && /^\S+$/.test(one)
  if (!Array.isArray(json) || !json.every(isPattern))
    fail(path, 'must be a list of patterns, as in ["/manual/*", "*/print/*"]')
}

/** Headers that are ours to send, and where else to say what they should be. */
const OUR_HEADERS: Readonly<Record<string, string>> = {
  authorization: 'credentials',
  cookie: 'cookies',
  'user-agent': 'identity.userAgent',
  from: 'identity.contact',
  'proxy-authorization': 'http.proxy',
}
const NO_HEADERS =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|range|accept|accept-encoding|if-.*|signature.*|proxy-.*|x-forwarded-proto|:.*)$/

function checkHeaders(json: unknown, path: string): void {
  checkNamed(json, path, (name, at) => {
    checkToken(name, at)
    const lower = name.toLowerCase()
    if (OUR_HEADERS[lower]) fail(at, `cannot be set here: say it by ${OUR_HEADERS[lower]}`)
    if (NO_HEADERS.test(lower)) fail(at, 'cannot be set: requests would no longer be what they are')
  })
}

function checkToken(name: string, path: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) fail(path, 'is not a name that HTTP allows')
}

function checkCredentials(json: unknown, path: string): void {
  fields({
    basic: (basic, at) => {
      fields({ user: checkSecret, password: checkSecret })(basic, at)
      for (const name of ['user', 'password'])
        if (!Object.hasOwn(basic as object, name)) fail(at, `needs a ${name}`)
    },
    bearer: checkSecret,
  })(json, path)
  if (Object.keys(json as object).length !== 1)
    fail(path, 'takes one of basic and bearer, as in { "bearer": { "env": "TOKEN" } }')
}

function checkSecret(json: unknown, path: string): void {
  if (typeof json === 'string' && json !== '') return
  const [name, ...others] = isJsonObject(json) ? Object.keys(json) : []
  const value = isJsonObject(json) ? json[name] : undefined
  const isPlace = (name === 'env' || name === 'file') && others.length === 0
  if (!isPlace || typeof value !== 'string' || value === '')
    fail(path, 'must be text, { "env": "NAME" } or { "file": "path" }')
}

function checkNamed(json: unknown, path: string, checkName: (name: string, path: string) => void) {
  if (!isJsonObject(json)) fail(path, 'must be an object: names, and a value for each')
  for (const [name, secret] of Object.entries(json)) {
    const at = `${path}.${plainText(name).slice(0, 60)}`
    checkName(name, at)
    checkSecret(secret, at)
  }
}

/** Checks an object that may have these fields and no others. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  return (json, path) => {
    if (!isJsonObject(json)) fail(path, `must be an object with ${Object.keys(checks).join(', ')}`)
    for (const [name, value] of Object.entries(json)) {
      if (!Object.hasOwn(checks, name))
        fail(path, `has no setting "${plainText(name).slice(0, 60)}"${meant(name, checks)}`)
      checks[name](value, `${path}.${name}`)
    }
  }
}

/** The known name that is nearest, or all of them. */
function meant(name: string, checks: Readonly<Record<string, Check>>): string {
  const known = Object.keys(checks)
  const slips = known.map((one) =>
    name.toLowerCase().startsWith(one.toLowerCase()) ? 1 : editDistance(name.slice(0, 60), one),
  )
  const least = Math.min(...slips)
  const nearest = known[slips.indexOf(least)]
  return least <= Math.max(2, nearest.length / 3)
    ? `; did you mean "${nearest}"?`
    : ` (it may have ${known.join(', ')})`
}

function checkKind(kind: Kind<unknown>, json: unknown, path: string): void {
  if (kind.fromJson(json) === undefined)
    fail(path, `must be ${kind.form}, not ${plainText(String(JSON.stringify(json))).slice(0, 60)}`)
}

function fail(path: string, what: string): never {
  throw new SettingError('sites', `${path} ${what}`)
}
