import { isDeepStrictEqual } from 'node:util'
import type { DuckDBConnection } from '@duckdb/node-api'
import { matchesHost, type SiteMatch } from '#parse/url/site-match.ts'
import { streamNamedRows } from '../database/named-rows.ts'
import { sqlText } from '../database/sql-text.ts'

/** Which rows somebody wants; what is left out stands for all. */
export interface Selection {
  readonly sites?: readonly SiteMatch[]
  /** Seconds since 1970: what was told from then on, and before then. */
  readonly from?: number
  readonly until?: number
  /** As in `de`, which means `de-AT` too. */
  readonly language?: string
  /** Own fields that a page must have, with that value if one is named. */
  readonly fields?: readonly WantedField[]
  /** States of URLs, or outcomes of fetches. */
  readonly states?: readonly string[]
}

export interface WantedField {
  readonly name: string
  readonly value?: string
}

/** Conditions in SQL, of a row of `url u`. */
export async function siteCondition(
  connection: DuckDBConnection,
  sites: readonly SiteMatch[] | undefined,
): Promise<string> {
  if (sites === undefined) return 'true'
  const hosts = sites.map((): number[] => [])
  const names = streamNamedRows(connection, 'SELECT id, name FROM host', {
    id: Number,
    name: String,
  })
  for await (const { id, name } of names)
    for (const [site, match] of sites.entries())
      if (matchesHost({ ...match, path: '' }, name)) hosts[site].push(id)
  const conditions = sites.map((match, site) => urlCondition(match, hosts[site]))
  return `(${conditions.join(' OR ')})`
}

function urlCondition({ scheme, path }: SiteMatch, hosts: readonly number[]): string {
  if (hosts.length === 0) return 'false'
  const pathOf = "regexp_extract(u.url, '^[a-z]+://[^/?]*([^?]*)', 1)"
  const parts = [
    `u.host_id IN (${hosts.join(', ')})`,
    scheme && `starts_with(u.url, '${scheme}:')`,
    path && `(${pathOf} = ${sqlText(path)} OR starts_with(${pathOf}, ${sqlText(`${path}/`)}))`,
  ]
  return parts.filter(Boolean).join(' AND ')
}

/** A condition on what a page or a fetch is called. */
export function wordCondition(column: string, words: readonly string[] | undefined): string {
  return words === undefined ? 'true' : `${column} IN (${words.map(sqlText).join(', ')})`
}

export function languageCondition(column: string, language: string | undefined): string {
  if (language === undefined) return 'true'
  const said = `replace(lower(${column}), '_', '-')`
  return `(${said} = ${sqlText(language)} OR starts_with(${said}, ${sqlText(`${language}-`)}))`
}

/** Conditions on own fields, which are an object in JSON: a text for each, or a list of them. */
export function fieldConditions(column: string, fields: readonly WantedField[] = []): string {
  const conditions = fields.map(({ name, value }) => {
    const path = `$."${name.replaceAll(/[^\w-]/g, '')}"`
    const found = `json_extract_string(${column}, ${sqlText(path)})`
    if (value === undefined) return `${found} IS NOT NULL`
    const all = `json_extract_string(${column}, ${sqlText(`${path}[*]`)})`
    return `(${found} = ${sqlText(value)} OR list_contains(${all}, ${sqlText(value)}))`
  })
  if (conditions.length === 0) return 'true'
  return `CASE WHEN json_valid(${column}) THEN ${conditions.join(' AND ')} ELSE false END`
}

/** A condition on a time in seconds. */
export function timeCondition(column: string, { from, until }: Selection): string {
  const parts = [
    from !== undefined && `${column} >= ${from}`,
    until !== undefined && `${column} < ${until}`,
  ]
  return parts.filter(Boolean).join(' AND ') || 'true'
}

/** Whether two ask for the same rows. */
export function isSameSelection(a: Selection, b: Selection): boolean {
  const plain = (selection: Selection) => JSON.parse(JSON.stringify(selection))
  return isDeepStrictEqual(plain(a), plain(b))
}
