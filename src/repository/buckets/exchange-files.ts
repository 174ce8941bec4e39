import type { DuckDBConnection } from '@duckdb/node-api'
import type { UrlSource } from '#frontier/urls/url-states.ts'
import type { LinkedEntry, PageElsewhere } from '#learn/hear-links.ts'
import { appendRows } from '../database/append-columns.ts'
import { namedRows } from '../database/named-rows.ts'
import { EXCHANGE, type ExchangeRow } from './bucket-tables.ts'
import { createTable, fromFiles, writeParquet } from './tables-in-memory.ts'

/** Writes what a bucket tells others. */
export async function writeExchange(
  connection: DuckDBConnection,
  rows: readonly ExchangeRow[],
  path: string,
): Promise<void> {
  await createTable(connection, EXCHANGE)
  await appendRows(connection, EXCHANGE, rows)
  await writeParquet(connection, EXCHANGE.name, path)
}

const text = (value: unknown) => (value === null ? undefined : String(value))

/** What others told a bucket, in the order of the files. */
export async function readExchange(
  connection: DuckDBConnection,
  files: readonly string[],
  bucket: number,
  at: number,
): Promise<LinkedEntry> {
  if (files.length === 0) return { kind: 'linked', at, pages: [], found: [] }
  const rows = await namedRows(
    connection,
    `SELECT page, page_depth, fetched_at, share, share_before, url, source, depth, anchor, rel
     FROM ${fromFiles(files)} WHERE dest = ${bucket}`,
    {
      ...{ page: text, url: text, source: text, anchor: text },
      ...{ page_depth: Number, fetched_at: Number, share: Number, depth: Number, rel: Number },
      ...{ share_before: Number },
    },
  )
  const pages: (PageElsewhere & { links: PageElsewhere['links'][number][] })[] = []
  const found: LinkedEntry['found'][number][] = []
  for (const { page, page_depth, fetched_at, share, share_before, url, source, ...row } of rows) {
    const { anchor = '', rel, depth } = row
    const one = url === undefined ? undefined : { url, source: source as UrlSource, depth }
    if (page === undefined) found.push(one!)
    else {
      const last = pages.at(-1)
      const isNext = last?.url !== page || last.at !== fetched_at
      if (isNext)
        pages.push({
          url: page,
          depth: page_depth,
          at: fetched_at,
          share,
          shareBefore: share_before,
          links: [],
        })
      if (one) pages.at(-1)!.links.push({ ...one, anchor, rel })
    }
  }
  return { kind: 'linked', at, pages, found }
}

/** By URL: the mass that links of other buckets bring, but for pages that were fetched since. */
export async function readRankFlow(
  connection: DuckDBConnection,
  files: readonly string[],
  bucket: number,
  urlCount: number,
): Promise<Float64Array> {
  const inflow = new Float64Array(urlCount)
  if (files.length === 0) return inflow
  const rows = await namedRows(
    connection,
    `SELECT url.id AS id, flow.mass AS mass
     FROM (SELECT hash, mass FROM ${fromFiles(files)} WHERE dest = ${bucket}) AS flow
     JOIN url ON url.hash = flow.hash ORDER BY url.id, flow.mass`,
    { id: Number, mass: Number },
  )
  for (const { id, mass } of rows) inflow[id] += mass
  return inflow
}
