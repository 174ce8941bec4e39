import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { asLogFiles } from '#library/opensearch/ubi-dump.ts'
import {
  formatOfLogs,
  importQueryLogs,
  UnusableLogError,
  USUAL_MIN_CLIENTS,
} from '#library/queries/import-log.ts'
import { timeSpan } from '#library/settings/setting-kinds.ts'
import { type ImportReport, isUnreadable } from '#repository/queries/import-queries.ts'
import { DEFAULT_HALF_LIFE_SECONDS } from '#repository/queries/search-events.ts'
import { LOG_FORMATS } from '#workload/formats/formats.ts'
import { UsageError } from '../../text/usage-error.ts'
import { wholeNumber } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { outputFor } from '../terminal/output.ts'
import { Progress } from '../terminal/progress.ts'
import { noteTo } from '../words/note-text.ts'
import { skippedLines } from '../words/skipped-lines.ts'

interface QueryImportOptions {
  format?: string
  param: string
  minClients?: number
  halfLife: number
  json?: boolean
}

const FORMATS = Object.entries(LOG_FORMATS)
  .map(([name, { what }]) => `  ${name.padEnd(10)} ${what}`)
  .join('\n')

const ADDRESS = /^\w+:\/\//

export function addQueriesImport(queries: Command): void {
  addSettings(queries.command('import'), ['dir'])
    .description('import query logs; the directory is made if need be')
    .argument(
      '<file...>',
      'files to read; gzipped ones are unpacked. For ubi also opensearch://127.0.0.1:9200/ubi_queries',
    )
    .addOption(
      new Option('--format <name>', 'what they are, if their first lines do not tell').choices(
        Object.keys(LOG_FORMATS),
      ),
    )
    .option(
      '--param <name>',
      'access logs: the parameter that holds the query, as in q, or /search?q for one path only',
      'q',
    )
    .option(
      '--min-clients <k>',
      `leave out queries that fewer clients asked (default: ${USUAL_MIN_CLIENTS} where the log tells clients apart; of your own search page the first counts)`,
      wholeNumber(1),
    )
    .addOption(
      new Option('--half-life <time>', 'after so long a search counts half, as in 90d')
        .default(DEFAULT_HALF_LIFE_SECONDS, '90d')
        .argParser(halfLife),
    )
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `
Formats:
${FORMATS}

Examples:
  forager queries import queries.csv
  forager queries import Queries.csv --format gsc --dir mycrawl
  forager queries import access.log access.log.1.gz --format accesslog --param '/search?q' --min-clients 3
  forager queries import opensearch://127.0.0.1:9200/ubi_queries --format ubi`,
    )
    .action((files: string[], options: QueryImportOptions, command: Command) =>
      runImport(files, options, settingsOf(command).settings.dir),
    )
}

function halfLife(text: string): number {
  const seconds = timeSpan.fromText(text)
  if (seconds === undefined)
    throw new InvalidArgumentError('It must be a time of at least 1 second, as in 90d or 12h.')
  return seconds
}

async function runImport(files: string[], options: QueryImportOptions, dir: string): Promise<void> {
  const { param, minClients, halfLife: halfLifeSeconds } = options
  const output = outputFor(options)
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false })
    // Else we would ask what it is.
    const mustBeRead = options.format === undefined && !ADDRESS.test(file)
    if (!found && mustBeRead) throw new UsageError(`${file}: no such file`)
    if (found?.isDirectory())
      throw new UsageError(
        `${file} is a folder: name the files in it, as in ${join(file, '*.csv')}`,
      )
  }
  const format = options.format ?? (await formatOfLogs(files))
  if (format === undefined)
    throw new UsageError(
      `say what ${files.join(', ')} is, by --format and one of these:\n${FORMATS}`,
    )
  const sizes = files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  const progress = new Progress(
    'import',
    'bytes',
    sizes.reduce((sum, size) => sum + size, 0),
  )
  if (options.format === undefined)
    output.note(`taken for ${format} (${LOG_FORMATS[format].what}): --format names another`)
  const tell = (report: ImportReport) => {
    if (!output.json) for (const line of skippedLines(report)) output.note(line)
    const least = minClients ?? USUAL_MIN_CLIENTS
    output.result({ dir, format, ...report }, () => reportText(report, dir, least))
  }
  try {
    const note = noteTo(output, dir)
    const report = await importQueryLogs(await asLogFiles(files, { note }), {
      ...{ dir, format, param, minClients, halfLifeSeconds },
      onProgress: (bytes) => progress.update(bytes),
      note,
    }).finally(() => progress.clear())
    tell(report)
  } catch (error) {
    if (error instanceof UnusableLogError) tell(error.report)
    throw error
  }
}

function reportText(report: ImportReport, dir: string, minClients: number): string {
  const count = (value: number, what: string) => `${value.toLocaleString('en')} ${what}`
  const lines = report.files
    .filter(({ isUnchanged }) => isUnchanged)
    .map(({ file }) => `${file} was imported before and has not changed`)
  if (isUnreadable(report)) lines.push(`nothing was imported into ${dir}`)
  else if (lines.length < report.files.length)
    lines.push(
      `imported into ${dir}: ${[
        count(report.asked, report.asked === 1 ? 'record of a query' : 'records of queries'),
        count(report.clicks, 'of clicks'),
        count(report.judgments, 'of judgments'),
      ].join(', ')}`,
    )
  const left = [
    ...Object.entries(report.skippedByReason).map(([reason, n]) => [n, `malformed: ${reason}`]),
    ...Object.entries(report.unusedByReason).map(([reason, n]) => [n, `left out: ${reason}`]),
    [report.repeated, 'left out: imported before'],
    [
      report.rareQueries,
      `left out: queries that fewer than ${minClients} clients asked (--min-clients 1 keeps them)`,
    ],
  ] as const
  for (const [n, what] of left) if (Number(n) > 0) lines.push(`  ${count(Number(n), String(what))}`)
  return lines.join('\n')
}
