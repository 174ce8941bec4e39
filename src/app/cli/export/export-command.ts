import { type Command, InvalidArgumentError, Option } from 'commander'
import { URL_STATES } from '#frontier/urls/url-states.ts'
import { OUTCOME_KINDS } from '#learn/entries/outcome.ts'
import { type ExportOptions, exportCrawl, exportWacz } from '#library/export/export-crawl.ts'
import {
  EXPORT_FORMATS,
  EXPORTED,
  type ExportedName,
  type ExportFormat,
} from '#repository/export/exported-kinds.ts'
import { UsageError } from '../../text/usage-error.ts'
import { commaList, several } from '../settings/options.ts'
import { addSettings, settingsOf } from '../settings/setting-flags.ts'
import { count, outputFor, some } from '../terminal/output.ts'
import { Progress } from '../terminal/progress.ts'

/** One file for replay programs; the others are folders, or streams. */
const WACZ = 'wacz'

interface ExportFlags {
  readonly format: ExportFormat | typeof WACZ
  readonly out: string
  readonly site?: readonly string[]
  readonly since?: ExportOptions['since']
  readonly until?: number
  readonly lang?: string
  readonly field?: readonly string[]
  readonly state?: string
  readonly text: boolean
  readonly json?: boolean
}

/** The flags of `forager export`, and what it does. */
export function defineExport(command: Command): void {
  const states = [...new Set<string>([...URL_STATES, ...OUTCOME_KINDS])]
  addSettings(command, ['dir', 'warcDir'])
    .addOption(
      new Option('--format <name>', 'how rows are written')
        .choices([...EXPORT_FORMATS, WACZ])
        .default('jsonl'),
    )
    .option(
      '--out <folder>',
      'folder for the files, or the WACZ file; - is the standard output',
      '-',
    )
    .option(
      '--site <host>',
      'only this site, as in docs.example.org or *.example.org (repeatable)',
      several,
    )
    .option(
      '--since <when>',
      'only what is new since a day, a time, or the position that an export ended at',
      since,
    )
    .option('--until <when>', 'only what was told before a day or a time', moment)
    .option('--lang <code>', 'only pages in this language, as in de')
    .option(
      '--field <name=value>',
      'only pages with this field of your own, as in price or brand=Acme (repeatable)',
      several,
    )
    .option('--state <names>', 'only pages or fetches in these states, as in page or page,gone')
    .option('--no-text', 'pages without their texts')
    .option('--json', 'print what was written as JSON')
    .addHelpText(
      'after',
      `
Pages that were ever held come with their state: a page that is gone has the state gone. A folder is gone on with:
the same command again adds what is new since, and a killed export takes up where it was. What you can read is also
there while a crawl runs.

Examples:
  forager export pages --dir mycrawl > pages.jsonl
  forager export pages --dir mycrawl --format parquet --out pages    # again later: what is new since
  forager export pages --dir mycrawl --since 2026-11-01 --no-text --format csv
  forager export pages --dir mycrawl --format wacz --out site.wacz   # for replay programs
  forager export links --dir mycrawl --site docs.example.org
  forager export fetches --dir mycrawl --state failed,denied`,
    )
    .action(async (what: string, flags: ExportFlags, command: Command) => {
      if (!isExported(what))
        throw new UsageError(`export ${what}? It can be ${EXPORTED.join(', ')}`)
      const chosen = flags.state === undefined ? undefined : commaList(flags.state)
      const unknown = chosen?.find((state) => !states.includes(state))
      if (unknown !== undefined)
        throw new UsageError(`--state ${unknown} is none of ${states.join(', ')}`)
      const { dir, warcDir } = settingsOf(command).settings
      const isStream = flags.out === '-'
      if (isStream && flags.json)
        throw new UsageError('--json tells of files: name a folder with --out')
      const output = outputFor(flags)
      let progress: Progress | undefined
      const chosenRows = {
        ...{ dir, warcDir, what, since: flags.since, until: flags.until },
        ...{ sites: flags.site, language: flags.lang, fields: flags.field },
        ...{ states: chosen, texts: flags.text },
        onPart: ({ done, total }: { done: number; total: number }) => {
          progress ??= new Progress('exporting', what === 'links' ? 'pages' : what, total)
          progress.update(done)
        },
      }
      if (isStream && flags.format === WACZ)
        throw new UsageError('--format wacz makes one file: name it with --out')
      const summary =
        flags.format === WACZ
          ? await exportWacz({ ...chosenRows, out: flags.out })
          : await exportCrawl({
              ...{ ...chosenRows, format: flags.format },
              out: isStream ? process.stdout : flags.out,
            })
      progress?.clear()
      const { rows, parts, position, missing } = summary
      if (missing !== undefined)
        output.note(
          `${some(missing, 'exchange')} could not be read: forager check --dir ${dir} tells more`,
        )
      const further = position === undefined ? '' : `; what comes later: --since ${position}`
      if (isStream) output.note(`${some(rows, 'row')} of ${what}${further}`)
      else
        output.result({ dir, what, out: flags.out, ...summary }, () =>
          flags.format === WACZ
            ? `${count(rows)} ${what} in ${flags.out}`
            : rows === 0
              ? `nothing new for ${flags.out}${further}`
              : `${count(rows)} rows of ${what} in ${some(parts, 'new file')} in ${flags.out}${further}`,
        )
    })
}

function isExported(what: string): what is ExportedName {
  return EXPORTED.some((name) => name === what)
}

/** A position in the log is a whole number, as no time is. */
function since(text: string): NonNullable<ExportOptions['since']> {
  return /^-?\d{1,12}$/.test(text) ? { position: Number(text) } : { time: moment(text) }
}

function moment(text: string): number {
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      'It must be a day or a time, as in 2026-11-01 or 2026-11-01T12:00Z.',
    )
  return at / 1000
}
