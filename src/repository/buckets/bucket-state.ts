import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { CycleRecord } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { TakenLinks } from '#learn/hear-links.ts'
import { Lessons } from '#learn/lessons.ts'
import { appendRows } from '../database/append-columns.ts'
import type { RowOf } from '../database/define-table.ts'
import { countRows } from '../database/named-rows.ts'
import { readColumns } from '../database/read-columns.ts'
import { appendCycle, type StoredSizes } from '../state/append-cycle.ts'
import { loadFrontier } from '../state/load-frontier.ts'
import { replayFetches } from '../state/replay-fetches.ts'
import { URL_TABLE } from '../tables/url-tables.ts'
import { FOREIGN_LINK, STATE_TABLES } from './bucket-tables.ts'
import { allRows, readWhatIsNew, readWhereTheyLie, writeParquet } from './tables-in-memory.ts'

/** Appendices that have so many times the rows of what they are appended to are written into one with it. */
const LARGEST_APPENDIX = 0.25
/** Fewer rows than this are not worth the trouble, unless there are many files of them; of a small bucket, some. */
const SMALL_ROWS = 100_000
const MOST_PARTS = 24
const MOST_SMALL_PARTS = 4

/** A folder that has some rows of a bucket's tables. */
export interface StatePart {
  /** Below the crawl's folder. */
  readonly path: string
  readonly rows: number
}

/** What a bucket knew when an epoch ended. */
interface BucketState {
  readonly frontier: Frontier
  readonly lessons: Lessons
  readonly stored: StoredSizes
}

/** Reads back what a bucket knows, by the loader of all crawls. */
export async function loadBucket(
  connection: DuckDBConnection,
  dir: string,
  parts: readonly StatePart[],
  isOwn: (domain: string) => boolean,
  prepare: (lessons: Lessons) => void = () => {},
): Promise<BucketState> {
  await readWhereTheyLie(connection, STATE_TABLES, (table) =>
    parts.map(({ path }) => join(dir, path, `${table}.parquet`)).filter(existsSync),
  )
  const frontier = new Frontier()
  frontier.foreign.keepTo(isOwn)
  const stored = await loadFrontier(connection, frontier)
  await loadForeignLinks(connection, frontier)
  const lessons = new Lessons(frontier)
  prepare(lessons)
  await replayFetches(connection, (fetch) => lessons.learn(fetch))
  return { frontier, lessons, stored }
}

async function loadForeignLinks(connection: DuckDBConnection, frontier: Frontier): Promise<void> {
  const names = ['told_at', 'src', 'dst', 'anchor_id', 'rel'] as const
  let list: { src: number; at: number; rows: (readonly [number, number, number])[] } | undefined
  const take = () => {
    if (!list || !frontier.foreign.takesNews(list.src, list.at)) return
    const column = (place: 0 | 1 | 2) => list!.rows.map((row) => row[place])
    frontier.replaceLinks(list.src, {
      targets: Uint32Array.from(column(0)),
      anchors: Uint32Array.from(column(1)),
      rels: Uint8Array.from(column(2)),
    })
  }
  for await (const { rowCount, columns } of readColumns(connection, FOREIGN_LINK, names)) {
    const { told_at: at, src, dst, anchor_id: anchor, rel } = columns
    for (let row = 0; row < rowCount; row++) {
      if (list?.src !== src[row] || list.at !== at[row]) {
        take()
        list = { src: src[row], at: at[row], rows: [] }
      }
      if (dst[row] >= 0) list.rows.push([dst[row], anchor[row], rel[row]])
    }
  }
  take()
}

/** What an epoch taught a bucket. */
interface Learnt {
  readonly state: BucketState
  readonly record: CycleRecord
  readonly heard: readonly TakenLinks[]
}

/**
 * Writes what an epoch added into a folder, or all of it if that has become much; gives the parts that make up the state
 * from then on. `path` is what the folder will be called.
 */
export async function writeBucket(
  connection: DuckDBConnection,
  { state: { frontier, stored }, record, heard }: Learnt,
  before: readonly StatePart[],
  folder: string,
  path: string,
): Promise<StatePart[]> {
  await readWhatIsNew(connection)
  await appendCycle(connection, record, frontier, stored)
  await appendRows(
    connection,
    FOREIGN_LINK,
    heard.flatMap(({ page, at }) => foreignRows(page, at, frontier)),
  )
  let added = 0
  for (const { name } of STATE_TABLES) added += await countRows(connection, name)
  const rows = before.reduce((sum, part) => sum + part.rows, added)
  const isMuch = isWorthJoining(before, added)
  for (const table of STATE_TABLES) {
    const these = isMuch ? allRows(table) : table.name
    // That of URLs is always there, so that plans can be made of any bucket.
    if (table === URL_TABLE || (await countRows(connection, these)) > 0)
      await writeParquet(connection, these, join(folder, `${table.name}.parquet`))
  }
  return isMuch ? [{ path, rows }] : [...before, { path, rows: added }]
}

function isWorthJoining([base, ...others]: readonly StatePart[], added: number): boolean {
  if (base === undefined) return false
  const appended = others.reduce((sum, { rows }) => sum + rows, added)
  const isMuch = appended > Math.max(SMALL_ROWS, LARGEST_APPENDIX * base.rows)
  const most = base.rows + appended < SMALL_ROWS ? MOST_SMALL_PARTS : MOST_PARTS
  return isMuch || others.length + 2 > most
}

function foreignRows(page: number, at: number, frontier: Frontier): RowOf<typeof FOREIGN_LINK>[] {
  const { targets, anchors, rels } = frontier.links.rowOf(page)
  if (targets.length === 0) return [{ told_at: at, src: page, dst: null, anchor_id: null, rel: 0 }]
  return Array.from(targets, (dst, i) => ({
    ...{ told_at: at, src: page, dst, anchor_id: anchors[i], rel: rels[i] },
  }))
}
