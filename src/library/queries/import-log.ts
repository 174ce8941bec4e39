import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { type ImportReport, isUnreadable } from '#repository/queries/import-queries.ts'
import { firstLogLine } from '#repository/queries/log-lines.ts'
import { DEFAULT_HALF_LIFE_SECONDS } from '#repository/queries/search-events.ts'
import { LOG_FORMATS } from '#workload/formats/formats.ts'
import { guessFormat } from '#workload/formats/guess-format.ts'
import type { Query } from '#workload/workload.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { whenFree } from '../open/when-free.ts'
import { writeQueries } from './query-tables.ts'

/** What only one person ever asked may tell who that was. */
export const USUAL_MIN_CLIENTS = 2

/** How query logs are read. */
export interface ImportLogOptions {
  /** The crawl's folder; it is made if need be. */
  readonly dir: string
  /** What the files are: the name of a format, as in `csv` or `accesslog`. */
  readonly format: string
  /** Access logs: the parameter that holds the query; `q` if left out. */
  readonly param?: string
  /** Queries that fewer clients asked are left out; by default 2 where the log tells clients apart. */
  readonly minClients?: number
  /** After so many seconds a search counts half; 90 days if left out. */
  readonly halfLifeSeconds?: number
  /** Hears how many bytes have been read. */
  readonly onProgress?: (bytes: number) => void
  readonly note?: NoteListener
}

/** What files are, by their first lines: the name of a format, or undefined if they do not tell or differ. */
export async function formatOfLogs(files: readonly string[]): Promise<string | undefined> {
  // What comes through a pipe can be read once only.
  if (!files.every((file) => statSync(file, { throwIfNoEntry: false })?.isFile())) return undefined
  const formats = await Promise.all(
    files.map(async (file) => guessFormat(await firstLogLine(file))),
  )
  return new Set(formats).size === 1 ? formats[0] : undefined
}

/** Imports query logs into a crawl's folder; gives what came of their lines. */
export async function importQueryLogs(
  files: readonly string[],
  options: ImportLogOptions,
): Promise<ImportReport> {
  const { dir, format, param = 'q', onProgress, note } = options
  if (!Object.hasOwn(LOG_FORMATS, format))
    throw new SettingError(
      'format',
      `{format} must be one of ${Object.keys(LOG_FORMATS).join(', ')}, not "${format}"`,
    )
  const { reader, knowsClients } = LOG_FORMATS[format]
  const minClients = options.minClients ?? (knowsClients ? USUAL_MIN_CLIENTS : 1)
  if (minClients > 1 && !knowsClients)
    throw new SettingError(
      'minClients',
      `{minClients} needs to know who asked, and ${format} does not say: leave it out`,
    )
  const missing = files.find((file) => !statSync(file, { throwIfNoEntry: false }))
  if (missing !== undefined) throw new SettingError('files', `${missing}: no such file`)
  const { halfLifeSeconds = DEFAULT_HALF_LIFE_SECONDS } = options
  const now = Date.now() / 1000
  const how = { format, reader, param, minClients, halfLifeSeconds, now, onProgress }
  const write = () =>
    writeQueries(
      dir,
      async (queries) => {
        const report = await queries.import(files, how)
        if (isUnreadable(report)) throw nothingUsable(files, format, report)
        return report
      },
      note,
    )
  return whenFree(dir, write, note)
}

/** Nothing in some files could be used; `report` tells why, line by line. */
export class UnusableLogError extends SettingError {
  readonly report: ImportReport

  constructor(setting: string, reason: string, report: ImportReport) {
    super(setting, reason)
    this.report = report
  }
}

function nothingUsable(files: readonly string[], format: string, report: ImportReport) {
  const names = files.join(', ')
  if (report.files.every(({ lines }) => lines === 0))
    return new UnusableLogError('files', `${names}: nothing in there to import`, report)
  // Requests were understood, but none was a search.
  const isRead = Object.keys(report.unusedByReason).length > 0
  const setting = format === 'accesslog' && isRead ? 'param' : 'format'
  const reason = `nothing in ${names} could be used as ${format}: is {${setting}} right?`
  return new UnusableLogError(setting, reason, report)
}

/** Puts weighted queries into a crawl's folder, which is made if need be; they never grow old. */
export async function importQueryList(
  dir: string,
  queries: readonly Pick<Query, 'text' | 'weight'>[],
): Promise<ImportReport> {
  return writeQueries(dir, (store) => {
    const file = join(dir, 'log.csv')
    const lines = queries.map(({ text, weight }) => `"${text.replaceAll('"', '""')}",${weight}`)
    writeFileSync(file, `query,count\n${lines.join('\n')}\n`)
    const how = {
      format: 'csv',
      reader: LOG_FORMATS.csv.reader,
      param: 'q',
      minClients: 1,
      halfLifeSeconds: Number.POSITIVE_INFINITY,
      now: Date.now() / 1000,
    }
    return store.import([file], how)
  })
}
