import { readFileSync } from 'node:fs'
import { parseQuietHours } from '#crawl/pace/quiet-hours.ts'
import { SettingError } from '#errors/setting-error.ts'
import type { SiteRule } from '#fetch/sites/sites.ts'
import { parseSiteMatch, type SiteMatch } from '#parse/url/site-match.ts'
import type { Secret, SiteSetting } from './site-setting.ts'

/** The rules that settings state for own sites. Secrets are read here, and go to whoever fetches and nowhere else. */
export function siteRules(sites: readonly SiteSetting[] = []): SiteRule[] {
  return sites.map((site, i) => {
    const secretHeaders = headersOf(site, `sites[${i}]`)
    return {
      match: matchOf(site),
      delaySeconds: site.delay,
      connections: site.concurrency,
      quiet: site.quietHours?.map((text) => parseQuietHours(text)!),
      allowHttp: site.allowHttp,
      fields: site.fields,
      ...(Object.keys(secretHeaders).length > 0 && { secretHeaders }),
    }
  })
}

/** The match of an entry that was checked. */
export function matchOf({ match }: SiteSetting): SiteMatch {
  const read = parseSiteMatch(match)
  if ('fault' in read) throw new SettingError('sites', `sites: ${match} ${read.fault}`)
  return read
}

/** A site that somebody asks for, as in `docs.example.org` or `*.example.org`. */
export function namedSite(text: string): SiteMatch {
  const match = parseSiteMatch(text)
  if ('fault' in match) throw new SettingError('site', `{site} '${text}' ${match.fault}`)
  return match
}

function headersOf({ headers = {}, credentials, cookies }: SiteSetting, path: string) {
  const { basic, bearer } = credentials ?? {}
  const own = Object.entries(headers).map(([name, secret]) => [
    name.toLowerCase(),
    secretText(secret, `${path}.headers.${name}`, /^[\t\x20-\x7e]+$/),
  ])
  const pairs = Object.entries(cookies ?? {}).map(
    ([name, secret]) =>
      `${name}=${secretText(secret, `${path}.cookies.${name}`, /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/)}`,
  )
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    ...(pairs.length > 0 && { cookie: pairs.join('; ') }),
    ...(bearer !== undefined && {
      authorization: `Bearer ${secretText(bearer, `${path}.credentials.bearer`, /^[\x21-\x7e]+$/)}`,
    }),
    ...(basic && { authorization: `Basic ${basicText(basic, `${path}.credentials.basic`)}` }),
  }
}

/** RFC 7617: the user's name ends at the first colon. */
function basicText({ user, password }: { user: Secret; password: Secret }, path: string): string {
  const name = secretText(user, `${path}.user`, /^[^\p{Cc}:]+$/u)
  const word = secretText(password, `${path}.password`, /^[^\p{Cc}]+$/u)
  return Buffer.from(`${name}:${word}`).toString('base64')
}

/** The secret itself. Complaints say where it should be, and never quote it. */
function secretText(secret: Secret, path: string, form: RegExp): string {
  const [text, where] = found(secret, path)
  if (form.test(text)) return text
  throw new SettingError(
    'sites',
    `${path}: ${where} has characters in it that cannot be sent there`,
  )
}

function found(secret: Secret, path: string): readonly [string, string] {
  if (typeof secret === 'string') return [secret, 'the text']
  if ('env' in secret) {
    const text = process.env[secret.env]
    if (text) return [text, `the environment variable ${secret.env}`]
    throw new SettingError(
      'sites',
      `${path}: the environment variable ${secret.env} is not set, or empty: export it before`,
    )
  }
  const text = fileText(secret.file, path).replace(/\r?\n$/, '')
  if (text !== '') return [text, secret.file]
  throw new SettingError('sites', `${path}: ${secret.file} is empty: write the secret into it`)
}

function fileText(file: string, path: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const what = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`
    throw new SettingError('sites', `${path}: ${file}: ${what}`)
  }
}
