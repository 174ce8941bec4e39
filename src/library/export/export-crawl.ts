import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { SettingError } from '#errors/setting-error.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { BEGINNING, ExportFolder } from '#repository/export/export-folder.ts'
import { exportTables } from '#repository/export/export-tables.ts'
import {
  EXPORTED_KINDS,
  type ExportedName,
  type ExportFormat,
} from '#repository/export/exported-kinds.ts'
import type { Selection, WantedField } from '#repository/export/selection.ts'
import { writeWacz } from '#repository/export/wacz.ts'
import type { WrittenPart } from '#repository/export/write-parts.ts'
import { WarcRecords } from '#repository/warc/write/warc-records.ts'
import { folderForCopy, folderUntilExit } from '../open/folder-until-exit.ts'
import { noCrawlIn } from '../open/open-crawl.ts'
import { namedSite } from '../settings/site-rules.ts'
import { version } from '../settings/version.ts'

const SOFTWARE = `Forager/${version}`

/** What to export, and where to. */
export interface ExportOptions {
  readonly dir: string
  readonly what: ExportedName
  /** As JSON lines if left out. */
  readonly format?: ExportFormat
  /** A folder, which gets files of about 32 MB; or a stream, which gets lines. */
  readonly out: string | Writable
  /** As in `docs.example.org`, `*.example.org` or `example.org/manual`. */
  readonly sites?: readonly string[]
  /** The position of an earlier export, for what is new since; or a time in seconds. */
  readonly since?: { readonly position: number } | { readonly time: number }
  /** A time in seconds. */
  readonly until?: number
  readonly language?: string
  /** Own fields that pages must have, as in `price`, or with a value, as in `brand=Acme`. */
  readonly fields?: readonly string[]
  /** States of pages, or outcomes of fetches. */
  readonly states?: readonly string[]
  /** Whether pages come with their texts; yes if left out. */
  readonly texts?: boolean
  readonly onPart?: (part: WrittenPart) => void
  /** Where the WARC files lie, if not in the directory. */
  readonly warcDir?: string
  /** How large parts are, about. */
  readonly partBytes?: number
}

/** What was exported just now. */
export interface ExportSummary {
  readonly rows: number
  readonly parts: number
  /** Exchanges that are damaged, or not there. */
  readonly missing?: number
  /** Give it as `since` for what is new from here on; none for what is always exported whole. */
  readonly position?: number
}

/**
 * Writes pages, links, fetches or queries of a crawl for others to read, also while it runs. The same call into the same folder
 * goes on where a killed one was, and later adds what is new since.
 */
export async function exportCrawl(options: ExportOptions): Promise<ExportSummary> {
  const { what, format = 'jsonl', out, texts = true } = options
  mustBeThere(options.dir)
  mustBeInWarcs(what, format)
  const { isWhole = false } = EXPORTED_KINDS[what]
  const selection = selectionOf(options, isWhole)
  const since = options.since && 'position' in options.since ? options.since.position : BEGINNING
  if (typeof out !== 'string')
    return exportTo(streamTarget(out, format, since), options, { format, selection })
  const begun = { what, format, texts, selection, since }
  const folder = ExportFolder.open(out, begun, isWhole)
  return exportTo(folderTarget(folder), options, { format, selection })
}

/**
 * Writes pages, or fetches, into one WACZ file with an index and a list of pages, for replay programs. What a killed call had
 * copied lies beside it, and is not copied again.
 */
export async function exportWacz(
  options: Omit<ExportOptions, 'format' | 'out'> & { readonly out: string },
): Promise<ExportSummary> {
  const { what, out } = options
  mustBeThere(options.dir)
  mustBeInWarcs(what, 'warc')
  if (options.since && 'position' in options.since)
    throw new SettingError('since', 'a WACZ file is written whole: {since} takes a day')
  if (existsSync(out)) throw new SettingError('out', `${out} is there already: name another {out}`)
  const parts = `${out}.parts`
  const { texts = true } = options
  const begun = { what, texts, selection: selectionOf(options, true), since: BEGINNING }
  const warcs = ExportFolder.open(join(parts, 'warc'), { ...begun, format: 'warc' }, false)
  const summary = await exportTo(folderTarget(warcs), options, { ...begun, format: 'warc' })
  const rows = ExportFolder.open(
    join(parts, 'pages'),
    { ...begun, what: 'pages', format: 'jsonl' },
    false,
  )
  const ofPages = { ...options, what: 'pages', onPart: undefined } as const
  await exportTo(folderTarget(rows), ofPages, { ...begun, format: 'jsonl' })
  await writeWacz(out, {
    ...{ warcs: warcs.files(), pageRows: rows.files(), folder: parts },
    ...{ software: SOFTWARE, now: Date.now() },
  })
  rmSync(parts, { recursive: true })
  return { rows: warcs.manifest.rows, parts: 1, missing: summary.missing }
}

async function exportTo(
  target: Target,
  { dir, what, texts = true, partBytes, warcDir = join(dir, 'warc'), onPart }: Exported,
  how: { readonly format: ExportFormat; readonly selection: Selection },
): Promise<ExportSummary> {
  const records = new WarcRecords(randomUUID)
  const warcinfo = (file: string) =>
    records.warcinfo({ software: SOFTWARE }, file, Date.now() / 1000).member
  let [rows, parts, missing] = [0, 0, 0]
  const last = await exportTables(dir, folderForCopy, {
    ...{ what, ...how, texts, partBytes, warcs: { folder: warcDir, warcinfo } },
    after: target.after,
    nextFile: target.nextFile,
    onPart: async (part) => {
      await target.take(part)
      rows += part.rows
      parts++
      missing += part.missing ?? 0
      onPart?.(part)
    },
  })
  target.finish(last)
  const position = EXPORTED_KINDS[what].isWhole ? undefined : last
  return { rows, parts, position, ...(missing > 0 && { missing }) }
}

type Exported = Omit<ExportOptions, 'out' | 'format'>

function mustBeThere(dir: string): void {
  if (!holdsCrawl(dir)) throw noCrawlIn(dir)
}

function mustBeInWarcs(what: ExportedName, format: ExportFormat): void {
  if (format === 'warc' && !EXPORTED_KINDS[what].captures)
    throw new SettingError('format', `${what} do not lie in WARC files: choose pages or fetches`)
}

/** Where parts go. */
interface Target {
  readonly after: number
  readonly nextFile: () => string
  readonly take: (part: WrittenPart) => void | Promise<void>
  readonly finish: (position: number) => void
}

function folderTarget(folder: ExportFolder): Target {
  return {
    after: folder.manifest.position,
    nextFile: () => folder.nextFile(),
    take: (part) => folder.add(part),
    finish: (position) => folder.finish(position),
  }
}

/** Each part goes by way of a file. The heading of a table is for the first one. */
function streamTarget(stream: Writable, format: ExportFormat, after: number): Target {
  if (format === 'parquet')
    throw new SettingError(
      'out',
      'a Parquet file cannot be written to a stream: name a folder by {out}',
    )
  const file = join(folderUntilExit('forager-export-'), 'part')
  let isFirst = true
  return {
    after,
    nextFile: () => file,
    take: async () => {
      const isRest = format === 'csv' && !isFirst
      isFirst = false
      const lines = createReadStream(file)
      for await (const some of isRest ? withoutHeading(lines) : lines)
        if (!stream.write(some)) await once(stream, 'drain')
      rmSync(file)
    },
    finish: () => {},
  }
}

/** Names of columns have no line breaks in them. */
async function* withoutHeading(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isPast = false
  for await (const some of bytes) {
    const from: number = isPast ? 0 : some.indexOf('\n') + 1
    isPast ||= from > 0
    if (isPast) yield some.subarray(from)
  }
}

function selectionOf(options: ExportOptions, isWhole: boolean): Selection {
  const { since, until, language, fields, states, sites } = options
  if (isWhole && since && 'position' in since)
    throw new SettingError(
      'since',
      'queries are exported whole: {since} takes a day, as in 2026-11-01',
    )
  return {
    sites: sites?.map(namedSite),
    from: since && 'time' in since ? since.time : undefined,
    until,
    language: language?.toLowerCase().replaceAll('_', '-'),
    fields: fields?.map(wantedField),
    states,
  }
}

function wantedField(text: string): WantedField {
  const [, name, value] = /^([a-z][\w-]{0,39})(?:=(.*))?$/is.exec(text) ?? []
  if (name === undefined)
    throw new SettingError('field', `{field} '${text}' must be a name, or name=value`)
  return { name, ...(value !== undefined && { value }) }
}
