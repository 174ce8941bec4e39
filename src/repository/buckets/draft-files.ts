import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { BidList } from '#crawl/buckets/bid.ts'
import type { SoughtGain } from '#crawl/buckets/counted-gains.ts'
import type { Draft, FoundColumns } from '#crawl/buckets/draft.ts'
import type { KnownLinks } from '#crawl/buckets/exchange.ts'
import type { Frontier } from '#frontier/frontier.ts'
import type { Hashes64 } from '#numeric/hash.ts'
import type { Cut } from '#numeric/select/select-digits.ts'
import { appendRows } from '../database/append-columns.ts'
import { namedRows } from '../database/named-rows.ts'
import { LINKED, VALIDATOR } from './bucket-tables.ts'
import { createTable, fromFiles, sqlDouble, writeParquet } from './tables-in-memory.ts'
import { readTypedColumns, type TypedColumn, writeTypedColumns } from './typed-columns.ts'

/** By number of the URL: its PageRank. */
export const RANKS = 'rank.parquet'
const [DRAFT, FOUND, CONTENT, BIDS] = [
  ...['draft.parquet', 'found.parquet', 'content.parquet', 'bids.parquet'],
]
const [VALIDATORS, LINKS] = ['validator.parquet', 'linked.parquet']

/** Columns of a draft that are numbers, and what a row without one has. */
const NUMBERS = {
  ...{ acquire: 0, refresh: 0, leastPrices: 0, links: 0, days: 0, other: 0, expected: 0 },
  ...{ views: 0, thoughtAcquire: Number.NaN, thoughtRefresh: Number.NaN, thoughtLinks: Number.NaN },
} as const
type NumberName = keyof typeof NUMBERS
const NUMBER_NAMES = Object.keys(NUMBERS) as NumberName[]

/** Writes a draft; columns in which nothing stands are left out. */
export async function writeDraft(
  connection: DuckDBConnection,
  draft: Draft,
  { low, high }: Hashes64,
  folder: string,
): Promise<void> {
  const { urls, level, finder, groups, rooms } = draft
  const numbers = NUMBER_NAMES.filter((name) =>
    draft[name].some((value) => !Object.is(value, NUMBERS[name])),
  )
  const columns = {
    ...{ url_id: urls, low: urls.map((url) => low[url]), high: urls.map((url) => high[url]) },
    ...{ level, finder },
    ...Object.fromEntries(numbers.map((name) => [name, draft[name]])),
    ...Object.fromEntries(groups.map((column, quota) => [`group_${quota}`, column])),
    ...Object.fromEntries(rooms.map((column, quota) => [`room_${quota}`, column])),
  }
  await writeTypedColumns(connection, columns, join(folder, DRAFT))
}

/** A draft read back, and the hashes of its URLs. */
export async function readDraft(
  connection: DuckDBConnection,
  folder: string,
): Promise<{ readonly draft: Draft; readonly hashes: Hashes64 }> {
  const { rows, columns } = await readTypedColumns(connection, join(folder, DRAFT))
  const whole = (name: string) => columns[name] as Uint32Array
  const number = (name: NumberName) =>
    (columns[name] as Float64Array) ?? new Float64Array(rows).fill(NUMBERS[name])
  const quotas = Object.keys(columns).filter((name) => name.startsWith('group_')).length
  const ofQuotas = <T extends TypedColumn>(name: string) =>
    Array.from({ length: quotas }, (_, quota) => columns[`${name}_${quota}`] as T)
  const numbers = Object.fromEntries(NUMBER_NAMES.map((name) => [name, number(name)]))
  const draft = {
    ...{ urls: whole('url_id'), level: whole('level'), finder: whole('finder') },
    ...(numbers as Record<NumberName, Float64Array>),
    groups: ofQuotas<Uint32Array>('group'),
    rooms: ofQuotas<Float64Array>('room'),
  }
  return { draft, hashes: { low: whole('low'), high: whole('high') } }
}

/** Writes what content is worth in all bids, largest first, so that one of them can be found without reading all. */
export async function writeContent(
  connection: DuckDBConnection,
  gains: Float64Array,
  folder: string,
): Promise<void> {
  const gain = gains.toSorted().reverse()
  await writeTypedColumns(connection, { gain }, join(folder, CONTENT))
}

export async function writeFound(
  connection: DuckDBConnection,
  { finderClasses, values }: FoundColumns,
  folder: string,
): Promise<void> {
  // Nobody, which is −1, is 0.
  const finder = Uint32Array.from(finderClasses, (number) => number + 1)
  await writeTypedColumns(connection, { finder, value: values }, join(folder, FOUND))
}

export async function readFound(
  connection: DuckDBConnection,
  folder: string,
): Promise<FoundColumns> {
  const { columns } = await readTypedColumns(connection, join(folder, FOUND))
  return {
    finderClasses: Int32Array.from(columns.finder as Uint32Array, (number) => number - 1),
    values: columns.value as Float64Array,
  }
}

/** Writes what copies came with, of those that may be fetched again. */
export async function writeValidators(
  connection: DuckDBConnection,
  urls: Uint32Array,
  frontier: Frontier,
  folder: string,
): Promise<void> {
  const rows = Array.from(urls).flatMap((url) => {
    // Whether a duplicate is still one can only be seen by its text.
    if (frontier.duplicates.notedOriginal(url) !== undefined) return []
    const known = frontier.validators.of(url)
    return known ? [{ url_id: url, etag: known.etag, last_modified: known.lastModified }] : []
  })
  await createTable(connection, VALIDATOR)
  await appendRows(connection, VALIDATOR, rows)
  await writeParquet(connection, VALIDATOR.name, join(folder, VALIDATORS))
}

/** Writes where the links of pages lead that may be fetched again, so that others can be told which are gone. */
export async function writeLinked(
  connection: DuckDBConnection,
  known: ReadonlyMap<number, KnownLinks>,
  folder: string,
): Promise<void> {
  const rows = Array.from(known, ([url_id, { links, dests }]) => ({
    ...{ url_id, links, dests: dests.join(' ') },
  }))
  await createTable(connection, LINKED)
  await appendRows(connection, LINKED, rows)
  await writeParquet(connection, LINKED.name, join(folder, LINKS))
}

export async function writeBids(
  connection: DuckDBConnection,
  { places, gains, first, second, acquire, refresh, discover }: BidList,
  folder: string,
): Promise<void> {
  const columns = { place: places, gain: gains, first, second, acquire, refresh, discover }
  await writeTypedColumns(connection, columns, join(folder, BIDS))
}

/** The gain that is sought among those of all buckets: of content, or of bids, with what breaks ties. */
export async function findGain(
  connection: DuckDBConnection,
  kind: 'content' | 'bids',
  folders: readonly string[],
  { from, below, before }: SoughtGain,
): Promise<Cut> {
  const files = folders.map((folder) => join(folder, kind === 'content' ? CONTENT : BIDS))
  const ties = kind === 'content' ? '0 AS first, 0 AS second' : 'first, second'
  const [cut] = await namedRows(
    connection,
    `SELECT gain AS value, ${ties} FROM ${fromFiles(files)}
     WHERE gain >= ${sqlDouble(from)} AND gain < ${sqlDouble(below)}
     ORDER BY gain DESC, first, second LIMIT 1 OFFSET ${before}`,
    { value: Number, first: Number, second: Number },
  )
  return cut
}

/** What a plan is put together from: the folders of the phases before, and files with the texts of URLs. */
interface PlanSources {
  readonly learnt: string
  readonly bid: string
  readonly urls: readonly string[]
}

/** Writes what lies above a cut, or all bids if there is none, with what is needed to fetch it. */
export async function writePlan(
  connection: DuckDBConnection,
  { learnt, bid, urls }: PlanSources,
  cut: Cut | undefined,
  folder: string,
): Promise<void> {
  const optional = await columnsIn(connection, join(learnt, DRAFT))
  const number = (name: NumberName) =>
    optional.has(name) ? `draft."${name}"` : Number.isNaN(NUMBERS[name]) ? 'NULL' : '0::DOUBLE'
  const chosen = cut ? isTaken(cut) : 'true'
  const numbered = (name: string) =>
    `read_parquet('${join(learnt, name).replaceAll("'", "''")}', file_row_number = true, hive_partitioning = false)`
  await writeParquet(
    connection,
    `(SELECT bid.gain, bid.first, bid.second, draft.url_id, draft.level, url.url, bid.acquire, bid.refresh, bid.discover,
        ${number('expected')} AS expected, ${number('views')} AS views,
        ${number('thoughtAcquire')} AS thought_acquire, ${number('thoughtRefresh')} AS thought_refresh,
        ${number('thoughtLinks')} AS thought_links, validator.etag, validator.last_modified,
        url.depth, url.source, ranked.rank, linked.links AS links_before, linked.dests AS dests_before
      FROM (SELECT * FROM ${fromFiles([join(bid, BIDS)])} WHERE ${chosen}) AS bid
      JOIN (SELECT *, file_row_number AS place FROM ${numbered(DRAFT)}) AS draft USING (place)
      JOIN ${fromFiles(urls)} AS url ON url.id = draft.url_id
      JOIN (SELECT rank, file_row_number AS id FROM ${numbered(RANKS)}) AS ranked ON ranked.id = draft.url_id
      LEFT JOIN ${fromFiles([join(learnt, VALIDATORS)])} AS validator ON validator.url_id = draft.url_id
      LEFT JOIN ${fromFiles([join(learnt, LINKS)])} AS linked ON linked.url_id = draft.url_id
      ORDER BY bid.gain DESC, bid.first, bid.second, draft.url_id)`,
    join(folder, 'plan.parquet'),
  )
}

/** SQL: whether a bid is the last that is taken, or comes before it. */
function isTaken({ value, first, second }: Cut): string {
  const gain = sqlDouble(value)
  return `gain > ${gain} OR (gain = ${gain} AND (first < ${first} OR (first = ${first} AND second <= ${second})))`
}

async function columnsIn(connection: DuckDBConnection, file: string): Promise<Set<string>> {
  const reader = await connection.runAndReadAll(`SELECT * FROM ${fromFiles([file])} LIMIT 0`)
  return new Set(reader.columnNames())
}
