import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LogFormat } from '#workload/formats/formats.ts'
import type { Finding } from '#workload/formats/log-record.ts'
import { malformed } from '#workload/formats/log-record.ts'
import { appendRows } from '../database/append-columns.ts'
import { namedRow, namedRows } from '../database/named-rows.ts'
import type { KeptLog, QueryRow } from '../log/kept-log.ts'
import { logChange } from '../tables/log-change.ts'
import { rowsForLog } from '../tables/logged-rows.ts'
import { QUERY_IMPORT, QUERY_TABLES } from '../tables/query-tables.ts'
import { forEachLogLine, type LogLineOptions } from './log-lines.ts'
import { QueryWriter } from './query-writer.ts'

/** So many malformed lines are kept of each reason and file; the others are counted. */
const SHOWN_PER_REASON = 100

export interface ImportOptions {
  readonly format: string
  readonly reader: LogFormat['reader']
  readonly param: string
  /** Queries that fewer clients asked are not kept; 1 keeps all. */
  readonly minClients: number
  readonly halfLifeSeconds: number
  /** Seconds since 1970. */
  readonly now: number
  readonly onProgress?: (bytes: number) => void
}

interface SkippedLine {
  readonly file: string
  readonly line: number
  readonly reason: string
}

/** What an import came to. */
export interface ImportReport {
  readonly files: { readonly file: string; readonly lines: number; readonly isUnchanged: boolean }[]
  asked: number
  clicks: number
  judgments: number
  /** Malformed lines, each with its reason; not all of a file with very many. */
  readonly skipped: SkippedLine[]
  readonly skippedByReason: Record<string, number>
  /** Well-formed, but no use: robots, personal data and the like. */
  readonly unusedByReason: Record<string, number>
  rareQueries: number
  /** Records that an earlier import had brought already. */
  repeated: number
}

export interface LogPart {
  readonly path: string
  /** Names the file in the tables. */
  readonly file: string
  readonly lines?: LogLineOptions
}

/**
 * Imports query logs of one format in one transaction. A file whose content was imported before is left
 * alone; a record with a time is taken once, however many files bring it; and a file of totals without
 * times takes the place of what lay at the same path before.
 */
export async function importQueries(
  connection: DuckDBConnection,
  paths: readonly string[],
  options: ImportOptions,
  log?: KeptLog,
): Promise<ImportReport> {
  const parts = paths.map((path) => ({ path, file: resolve(path) }))
  return importParts(connection, parts, options, log)
}

export async function importParts(
  connection: DuckDBConnection,
  parts: readonly LogPart[],
  options: ImportOptions,
  log?: KeptLog,
): Promise<ImportReport> {
  await connection.run('BEGIN')
  try {
    const { report, firstImport, firstQuery } = await new QueryImport(connection, options).run(
      parts,
    )
    // Of a file that was read wrongly nothing is remembered, so that it can be read rightly.
    const isUseful = !isUnreadable(report) || parts.some(({ lines }) => lines?.from !== undefined)
    const isNew = report.files.some(({ isUnchanged }) => !isUnchanged)
    if (log && isUseful && isNew) {
      const rows = importedRows(connection, firstImport, firstQuery)
      await logChange(connection, log, { kind: 'queries' }, rows)
    }
    await connection.run(isUseful ? 'COMMIT' : 'ROLLBACK')
    return report
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}

/** What an import left in the tables, for the log: not the queries it found too rare to keep. */
async function* importedRows(
  connection: DuckDBConnection,
  firstImport: number,
  firstQuery: number,
): AsyncGenerator<QueryRow> {
  const isNew = (table: string) => {
    if (table === 'query') return `id >= ${firstQuery}`
    return `${table === 'query_import' ? 'id' : 'import_id'} >= ${firstImport}`
  }
  for (const table of QUERY_TABLES) yield* rowsForLog(connection, table, isNew(table.name))
}

interface Imported {
  readonly report: ImportReport
  /** New rows have these numbers or larger ones. */
  readonly firstImport: number
  readonly firstQuery: number
}

class QueryImport {
  readonly #connection: DuckDBConnection
  readonly #options: ImportOptions
  readonly #report: ImportReport = {
    files: [],
    asked: 0,
    clicks: 0,
    judgments: 0,
    skipped: [],
    skippedByReason: {},
    unusedByReason: {},
    rareQueries: 0,
    repeated: 0,
  }

  constructor(connection: DuckDBConnection, options: ImportOptions) {
    this.#connection = connection
    this.#options = options
  }

  async run(parts: readonly LogPart[]): Promise<Imported> {
    const firstImport = await this.#nextImportId()
    const writer = await QueryWriter.open(this.#connection, this.#options.minClients > 1)
    let importId = firstImport
    let bytesBefore = 0
    for (const part of parts) {
      const { size } = statSync(part.path, { throwIfNoEntry: false }) ?? { size: 0 }
      if (await this.#isUnchanged(part, size))
        this.#report.files.push({ file: part.path, lines: 0, isUnchanged: true })
      else await this.#importFile(part, importId++, writer, bytesBefore)
      bytesBefore += size
    }
    await writer.settle()
    this.#report.repeated = await this.#dropRepeated(firstImport)
    this.#report.rareQueries = await writer.dropRare(this.#options.minClients, firstImport)
    await writer.dropUnused()
    await this.#count(firstImport)
    return { report: this.#report, firstImport, firstQuery: writer.firstNewId }
  }

  async #importFile(
    part: LogPart,
    importId: number,
    writer: QueryWriter,
    bytesBefore: number,
  ): Promise<void> {
    const { format, reader: makeReader, param, halfLifeSeconds, now, onProgress } = this.#options
    const skippedBefore = sum(this.#report.skippedByReason)
    const take = (finding: Finding, line: number) => {
      if (finding.kind === 'malformed') return this.#skip(part.path, line, finding.reason)
      if (finding.kind === 'unused') return this.#leaveOut(finding.reason)
      const rejection = writer.take(finding, importId, () =>
        this.#skip(part.path, line, 'no query has the id it names'),
      )
      if (rejection === 'no query text') this.#skip(part.path, line, rejection)
      else if (rejection !== undefined) this.#leaveOut(rejection)
    }
    const reader = makeReader(take, { param })
    const { lines, bytes, sha256 } = await forEachLogLine(
      part.path,
      ({ text, problem = '', line }) =>
        text === undefined ? take(malformed(problem), line) : reader.read(text, line),
      {
        ...part.lines,
        pause: async (done) => {
          onProgress?.(bytesBefore + done)
          if (writer.isFull) await writer.flush()
        },
      },
    )
    reader.end()
    await writer.flush()
    this.#report.files.push({ file: part.path, lines, isUnchanged: false })
    const skipped = sum(this.#report.skippedByReason) - skippedBefore
    const imported = {
      ...{ id: importId, format, file: part.file, sha256, bytes, lines, skipped },
      ...{ imported_at: now, half_life: halfLifeSeconds, options: optionsText(this.#options) },
    }
    await appendRows(this.#connection, QUERY_IMPORT, [imported])
  }

  #skip(file: string, line: number, reason: string): void {
    const count = (this.#report.skippedByReason[reason] ?? 0) + 1
    this.#report.skippedByReason[reason] = count
    if (count <= SHOWN_PER_REASON) this.#report.skipped.push({ file, line, reason })
  }

  #leaveOut(reason: string): void {
    this.#report.unusedByReason[reason] = (this.#report.unusedByReason[reason] ?? 0) + 1
  }

  /** Whether this very content, read in this way, counts already, wherever it lay. */
  async #isUnchanged({ path, lines }: LogPart, size: number): Promise<boolean> {
    if (lines?.from !== undefined) return false
    const stored = await namedRows(
      this.#connection,
      `SELECT sha256 FROM query_import WHERE format = $format AND options = $options AND bytes = ${size}
         AND id IN (SELECT max(id) FROM query_import GROUP BY format, file)`,
      { sha256: String },
      { format: this.#options.format, options: optionsText(this.#options) },
    )
    if (stored.length === 0) return false
    const { sha256 } = await forEachLogLine(path, () => {})
    return stored.some((file) => file.sha256 === sha256)
  }

  async #nextImportId(): Promise<number> {
    const sql = 'SELECT coalesce(max(id) + 1, 0) AS next FROM query_import'
    return (await namedRow(this.#connection, sql, { next: Number })).next
  }

  /** Takes back what an earlier import of this format brought already; gives how many asked or clicked. */
  async #dropRepeated(firstImport: number): Promise<number> {
    const drop = async (table: string, time: string, same: readonly string[]) => {
      const keys = [time, 'query_id', ...same].map((column) => `old.${column} = new.${column}`)
      const result = await this.#connection.run(
        `DELETE FROM ${table} AS new WHERE import_id >= ${firstImport} AND ${time} IS NOT NULL AND EXISTS (
           SELECT 1 FROM ${table} AS old JOIN query_import AS i ON i.id = old.import_id
           WHERE old.import_id < ${firstImport} AND i.format = $format AND ${keys.join(' AND ')})`,
        { format: this.#options.format },
      )
      return result.rowsChanged
    }
    await drop('impression', 'seen_at', ['url', 'rank'])
    return (await drop('asked', 'asked_at', [])) + (await drop('click', 'clicked_at', ['url']))
  }

  async #count(firstImport: number): Promise<void> {
    const count = (table: string) =>
      `(SELECT count(*) FROM ${table} WHERE import_id >= ${firstImport})`
    const counts = await namedRow(
      this.#connection,
      `SELECT ${count('asked')} AS asked, ${count('click')} AS clicks, ${count('judgment')} AS judgments`,
      { asked: Number, clicks: Number, judgments: Number },
    )
    Object.assign(this.#report, counts)
  }
}

/** Whether nothing was of use: perhaps the files are something else than they were taken for. */
export function isUnreadable(report: ImportReport): boolean {
  const { asked, clicks, judgments, repeated, rareQueries, files } = report
  const isUnchanged = files.some((file) => file.isUnchanged)
  return !isUnchanged && asked + clicks + judgments + repeated + rareQueries === 0
}

function optionsText({ param, minClients, halfLifeSeconds }: ImportOptions): string {
  return JSON.stringify({ param, minClients, halfLifeSeconds })
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
