import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type DuckDBConnection, DuckDBDataChunk, INTEGER, VARCHAR } from '@duckdb/node-api'
import { namedRows } from '../database/named-rows.ts'
import { sqlText } from '../database/sql-text.ts'
import { putInPlace } from '../durable-file.ts'
import { copiesOf } from '../warc/copy-captures.ts'
import { type ExportedKind, type ExportFormat, ROW_FORMATS } from './exported-kinds.ts'
import { type Selection, siteCondition } from './selection.ts'

/** About so much is written, and held in memory, at a time. */
const PART_BYTES = 32 << 20
/** Texts that are handed to DuckDB at once; a vector of it holds no more. */
const TEXTS_AT_ONCE = 256

/** A file that is whole and in its place, and how far it goes. */
export interface WrittenPart {
  readonly rows: number
  /** Exchanges that are damaged or not there. */
  readonly missing?: number
  readonly position: number
  /** Pages, fetches or queries so far, and in all. */
  readonly done: number
  readonly total: number
}

interface PartOptions {
  readonly kind: ExportedKind
  readonly format: ExportFormat
  readonly selection: Selection
  /** Only what has a later position. */
  readonly after: number
  readonly partBytes?: number
  /** The text that is held of a page; left out if nobody wants texts. */
  readonly textOf?: (url: number) => string | undefined
  /** Where exchanges lie, and what their files begin with. */
  readonly warcs?: { readonly folder: string; readonly warcinfo: (file: string) => Buffer }
  /** Where the next part goes. */
  readonly nextFile: () => string
}

/** Writes what is selected, in the order of positions, a file at a time. Each is in its place before the next one begins. */
export async function* writeParts(
  connection: DuckDBConnection,
  options: PartOptions,
): AsyncGenerator<WrittenPart> {
  const { kind, format, selection, after, partBytes = PART_BYTES } = options
  const units = kind.units(selection, await siteCondition(connection, selection.sites), after)
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE unit AS
     SELECT *, (sum(bytes) OVER (ORDER BY position)) // ${partBytes} AS chunk
     FROM (${units}) WHERE position > ${after} ORDER BY position`,
  )
  const chunks = await namedRows(
    connection,
    `SELECT chunk, max(position) AS position, sum(count(*)) OVER (ORDER BY chunk) AS done
     FROM unit GROUP BY chunk ORDER BY chunk`,
    { chunk: Number, position: Number, done: Number },
  )
  for (const { chunk, position, done } of chunks) {
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE part AS SELECT * FROM unit WHERE chunk = ${chunk}`,
    )
    const file = options.nextFile()
    const draft = join(dirname(file), `_${basename(file)}.new`) // passed over by readers of whole folders
    rmSync(draft, { force: true })
    const written =
      format === 'warc'
        ? await writeCaptures(connection, draft, options, basename(file))
        : { rows: await copyRows(connection, draft, options, format) }
    putInPlace(draft, file)
    yield { ...written, position, done, total: chunks.at(-1)!.done }
  }
}

/** Writes the rows of a part as a table. */
async function copyRows(
  connection: DuckDBConnection,
  file: string,
  { kind, textOf }: PartOptions,
  format: keyof typeof ROW_FORMATS,
): Promise<number> {
  if (kind.hasTexts) await fillTexts(connection, textOf)
  const [{ Count }] = await namedRows(
    connection,
    `COPY (${kind.rows}) TO ${sqlText(file)} (${ROW_FORMATS[format]})`,
    { Count: Number },
  )
  return Count
}

/** Writes the exchanges of a part, as they are, into a WARC file of their own. */
async function writeCaptures(
  connection: DuckDBConnection,
  file: string,
  { kind, warcs }: PartOptions,
  name: string,
): Promise<Pick<WrittenPart, 'rows' | 'missing'>> {
  if (!kind.captures || !warcs) throw new Error('nothing of this kind lies in WARC files')
  const places = await namedRows(connection, kind.captures, { file: String, offset: Number })
  const out = openSync(file, 'w')
  let [rows, missing] = [0, 0]
  try {
    writeFileSync(out, warcs.warcinfo(name))
    const copied = new Set<string>()
    for (const place of places) {
      const records = await copiesOf(warcs.folder, place, copied)
      for (const record of records ?? []) writeFileSync(out, record)
      if (records) rows++
      else missing++
    }
  } finally {
    closeSync(out)
  }
  return { rows, missing }
}

/** Lays the texts of a part's pages beside the tables. */
async function fillTexts(
  connection: DuckDBConnection,
  textOf: PartOptions['textOf'],
): Promise<void> {
  await connection.run('CREATE OR REPLACE TEMP TABLE texts (url_id INTEGER, text VARCHAR)')
  if (!textOf) return
  const held = await namedRows(connection, "SELECT url_id FROM part WHERE state = 'page'", {
    url_id: Number,
  })
  const appender = await connection.createAppender('texts', 'main', 'temp')
  for (let first = 0; first < held.length; first += TEXTS_AT_ONCE) {
    const urls = held.slice(first, first + TEXTS_AT_ONCE).map(({ url_id }) => url_id)
    const chunk = DuckDBDataChunk.create([INTEGER, VARCHAR], urls.length)
    chunk.setColumnValues(0, urls)
    chunk.setColumnValues(
      1,
      urls.map((url) => textOf(url) ?? null),
    )
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}
