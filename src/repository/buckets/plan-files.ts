import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { KnownLinks } from '#crawl/buckets/exchange.ts'
import type { UrlSource } from '#frontier/urls/url-states.ts'
import { maybe, namedRows } from '../database/named-rows.ts'
import { fromFiles, openInMemory } from './tables-in-memory.ts'

/** A fetch as the last phase has planned it. */
export interface PlannedInBucket {
  readonly bucket: number
  /** Its number in the bucket. */
  readonly id: number
  readonly url: string
  readonly level: number
  readonly gain: number
  readonly acquire: number
  readonly refresh: number
  readonly discover: number
  readonly expected: number
  readonly views: number
  readonly thoughtAcquire?: number
  readonly thoughtRefresh?: number
  readonly thoughtLinks?: number
  readonly etag?: string
  readonly lastModified?: string
}

const SHAPE = {
  ...{ id: Number, url: String, level: Number, gain: Number, bucket: Number },
  ...{ acquire: Number, refresh: Number, discover: Number, expected: Number, views: Number },
  ...{ thoughtAcquire: maybe(Number), thoughtRefresh: maybe(Number), thoughtLinks: maybe(Number) },
  ...{ etag: maybe(String), lastModified: maybe(String) },
}

/** The plan of all buckets, best first. */
export async function readPlan(folders: readonly string[]): Promise<PlannedInBucket[]> {
  const rows = folders.flatMap((folder, bucket) => {
    const file = join(folder, 'plan.parquet')
    return existsSync(file) ? `SELECT *, ${bucket} AS bucket FROM ${fromFiles([file])}` : []
  })
  if (rows.length === 0) return []
  using tables = await openInMemory()
  return await namedRows(
    tables.connection,
    `SELECT url_id AS id, url, level, gain, bucket, acquire, refresh, discover, expected, views, etag,
       thought_acquire AS "thoughtAcquire", thought_refresh AS "thoughtRefresh",
       thought_links AS "thoughtLinks", last_modified AS "lastModified"
     FROM (${rows.join(' UNION ALL ')}) ORDER BY gain DESC, first, second, url`,
    SHAPE,
  )
}

/** What was known of a URL when its fetch was planned. */
export interface KnownThen {
  readonly depth: number
  readonly source: UrlSource
  /** Its PageRank, where the average URL has 1. */
  readonly rank: number
  /** Its links, if they led to other buckets. */
  readonly linked: KnownLinks | undefined
}

/** What was known of all that a bucket had planned, by number. */
export async function readFetched(
  connection: DuckDBConnection,
  folder: string,
): Promise<Map<number, KnownThen>> {
  const rows = await namedRows(
    connection,
    `SELECT url_id AS id, depth, source, rank, links_before, dests_before FROM ${fromFiles([join(folder, 'plan.parquet')])}`,
    {
      ...{ id: Number, depth: Number, rank: Number },
      source: (word: unknown) => String(word) as UrlSource,
      ...{ links_before: maybe(Number), dests_before: maybe(String) },
    },
  )
  return new Map(
    rows.map(({ id, links_before: links, dests_before: dests, ...known }) => {
      const linked =
        links === undefined ? undefined : { links, dests: dests!.split(' ').map(Number) }
      return [id, { ...known, linked }]
    }),
  )
}
