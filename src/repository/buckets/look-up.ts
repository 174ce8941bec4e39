import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { maybe, namedRows } from '../database/named-rows.ts'
import { fromFiles, openInMemory } from './tables-in-memory.ts'

/** What the files of a bucket tell of one URL. */
export interface UrlInBucket {
  readonly firstSeen: number
  readonly source: string
  readonly depth: number
  /** The page that led to it first, if one did. */
  readonly foundBy?: string
  readonly fetches: number
  readonly lastOutcome?: string
  readonly lastFetchedAt?: number
  /** Pages that linked to it when they were last fetched, and those of other buckets. */
  readonly linksFromHere: number
  readonly linksFromElsewhere: number
  /** What content was worth in the latest draft; undefined if it was no candidate. */
  readonly drafted?: number
  /** What was bid in the latest epoch that has bids, if quotas left room for it. */
  readonly bid?: number
}

/** Where to look: folders with tables, and those of the latest draft and bids. */
interface Places {
  readonly parts: readonly string[]
  readonly learnt: string
  readonly bid?: string
}

/** Looks a URL up in the files of its bucket; undefined if they do not have it. */
export async function lookUpUrl(
  { parts, learnt, bid }: Places,
  url: string,
): Promise<UrlInBucket | undefined> {
  using tables = await openInMemory()
  const { connection } = tables
  const rows = (table: string, empty: string) => {
    const files = parts.map((part) => join(part, `${table}.parquet`)).filter(existsSync)
    return files.length > 0 ? fromFiles(files) : `(SELECT ${empty} WHERE false)`
  }
  const urls = rows('url', '')
  const fetches = rows(
    'fetch_log',
    "0 AS id, 0 AS url_id, '' AS outcome, 0.0 AS fetched_at, true AS changed",
  )
  const [known] = await namedRows(
    connection,
    `SELECT url.id AS id, url.first_seen AS "firstSeen", url.source AS source, url.depth AS depth,
       (SELECT finder.url FROM ${urls} AS finder WHERE finder.id = url.found_by) AS "foundBy",
       (SELECT count(*) FROM ${fetches} WHERE url_id = url.id) AS fetches,
       (SELECT arg_max(outcome, id) FROM ${fetches} WHERE url_id = url.id) AS "lastOutcome",
       (SELECT max(fetched_at) FROM ${fetches} WHERE url_id = url.id) AS "lastFetchedAt",
       (SELECT count(DISTINCT src) FROM ${rows('link', '0 AS src, 0 AS dst, 0 AS fetch_id')} WHERE dst = url.id
          AND fetch_id IN (SELECT max(id) FROM ${fetches} WHERE changed GROUP BY url_id)) AS "linksFromHere",
       (SELECT count(DISTINCT src) FROM ${rows('foreign_link', '0 AS src, 0 AS dst')} WHERE dst = url.id) AS "linksFromElsewhere"
     FROM ${urls} AS url WHERE url.url = $url`,
    {
      ...{ id: Number, firstSeen: Number, source: String, depth: Number, fetches: Number },
      ...{ foundBy: maybe(String), lastOutcome: maybe(String), lastFetchedAt: maybe(Number) },
      ...{ linksFromHere: Number, linksFromElsewhere: Number },
    },
    { url },
  )
  if (known === undefined) return undefined
  const { id, ...found } = known
  const draft = `read_parquet('${join(learnt, 'draft.parquet').replaceAll("'", "''")}',
    file_row_number = true, hive_partitioning = false)`
  const [drafted] = await namedRows(
    connection,
    `SELECT file_row_number AS place, coalesce(try_cast(COLUMNS(name -> name = 'acquire') AS DOUBLE), 0) AS gain
     FROM ${draft} WHERE url_id = ${id}`,
    { place: Number, gain: Number },
  )
  const [offered] =
    drafted && bid
      ? await namedRows(
          connection,
          `SELECT gain FROM ${fromFiles([join(bid, 'bids.parquet')])} WHERE place = ${drafted.place}`,
          { gain: Number },
        )
      : []
  return {
    ...found,
    ...(drafted && { drafted: drafted.gain }),
    ...(offered && { bid: offered.gain }),
  }
}
