import { isAbsolute, join } from 'node:path'
import type { FieldSelectors } from '#parse/fields/field-rules.ts'

/** A secret: itself, or where it is. */
export type Secret = string | { readonly env: string } | { readonly file: string }

/** What holds for a site of one's own, as it is written in a config file. */
export interface SiteSetting {
  readonly match: string
  /** Seconds between two requests to one host. */
  readonly delay?: number
  /** Requests to one host at the same time. */
  readonly concurrency?: number
  /** Hours in which it is not asked, as in `Mon-Fri 08:00-18:00`. */
  readonly quietHours?: readonly string[]
  /** Pages of one host at most, in all. */
  readonly maxPages?: number
  /** Copies that are older are fetched again: seconds, or text as in `7d`. */
  readonly refreshAfter?: number | string
  readonly scope?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] }
  /** Fields of its pages, by selectors. */
  readonly fields?: FieldSelectors
  readonly headers?: Readonly<Record<string, Secret>>
  readonly credentials?: SiteCredentials
  readonly cookies?: Readonly<Record<string, Secret>>
  readonly allowHttp?: boolean
}

/** One of the two. */
export interface SiteCredentials {
  readonly basic?: { readonly user: Secret; readonly password: Secret }
  readonly bearer?: Secret
}

/** A site's secrets, each with its name, as in `credentials.bearer`. */
export function secretsOf({ headers, credentials, cookies }: SiteSetting): [string, Secret][] {
  const { basic, bearer } = credentials ?? {}
  return [
    ...named('headers', headers),
    ...named('cookies', cookies),
    ...named('credentials', bearer === undefined ? {} : { bearer }),
    ...named('credentials.basic', basic),
  ]
}

function named(path: string, secrets: Readonly<Record<string, Secret>> = {}): [string, Secret][] {
  return Object.entries(secrets).map(([name, secret]) => [`${path}.${name}`, secret])
}

/** An entry whose files are named from a folder. */
export function siteInFolder(site: SiteSetting, folder: string): SiteSetting {
  const moved = (secret: Secret): Secret =>
    typeof secret === 'string' || 'env' in secret || isAbsolute(secret.file)
      ? secret
      : { file: join(folder, secret.file) }
  const all = <Some extends Readonly<Record<string, Secret>>>(secrets: Some): Some =>
    Object.fromEntries(Object.entries(secrets).map(([name, one]) => [name, moved(one)])) as Some
  const { headers, cookies, credentials } = site
  const { basic, bearer } = credentials ?? {}
  return {
    ...site,
    ...(headers && { headers: all(headers) }),
    ...(cookies && { cookies: all(cookies) }),
    ...(basic && { credentials: { basic: all(basic) } }),
    ...(bearer !== undefined && { credentials: { bearer: moved(bearer) } }),
  }
}
