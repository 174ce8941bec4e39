import { once } from 'node:events'
import { createReadStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { SettingError } from '#errors/setting-error.ts'
import { parseSiteMatch, type SiteMatch } from '#parse/url/site-match.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { BEGINNING, ExportFolder } from '#repository/export/export-folder.ts'
import { exportTables } from '#repository/export/export-tables.ts'
import {
  EXPORTED_KINDS,
  type ExportedName,
  type ExportFormat,
} from '#repository/export/exported-kinds.ts'
import type { Selection } from '#repository/export/selection.ts'
import type { WrittenPart } from '#repository/export/write-parts.ts'
import { folderToLook, folderUntilExit } from '../open/folder-until-exit.ts'
import { noCrawlIn } from '../open/open-crawl.ts'

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
  /** States of pages, or outcomes of fetches. */
  readonly states?: readonly string[]
  /** Whether pages come with their texts; yes if left out. */
  readonly texts?: boolean
  readonly onPart?: (part: WrittenPart) => void
  /** How large parts are, about. */
  readonly partBytes?: number
}

/** What was exported just now. */
export interface ExportSummary {
  readonly rows: number
  readonly parts: number
  /** Give it as `since` for what is new from here on; none for what is always exported whole. */
  readonly position?: number
}

/**
 * Writes pages, links, fetches or queries of a crawl for others to read, also while it runs. The same call into the same folder
 * goes on where a killed one was, and later adds what is new since.
 */
export async function exportCrawl(options: ExportOptions): Promise<ExportSummary> {
  const { dir, what, format = 'jsonl', out, texts = true, partBytes } = options
  if (!holdsCrawl(dir)) throw noCrawlIn(dir)
  const { isWhole = false } = EXPORTED_KINDS[what]
  const selection = selectionOf(options, isWhole)
  const since = options.since && 'position' in options.since ? options.since.position : BEGINNING
  const target =
    typeof out === 'string'
      ? folderTarget(ExportFolder.open(out, { what, format, texts, selection, since }, isWhole))
      : streamTarget(out, format, since)
  let [rows, parts] = [0, 0]
  const last = await exportTables(dir, folderToLook, {
    ...{ what, format, selection, texts, partBytes },
    after: target.after,
    nextFile: target.nextFile,
    onPart: async (part) => {
      await target.take(part)
      rows += part.rows
      parts++
      options.onPart?.(part)
    },
  })
  const position = isWhole ? undefined : last
  target.finish(last)
  return { rows, parts, position }
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
  const { since, until, language, states, sites } = options
  if (isWhole && since && 'position' in since)
    throw new SettingError(
      'since',
      'queries are exported whole: {since} takes a day, as in 2026-11-01',
    )
  return {
    sites: sites?.map(siteOf),
    from: since && 'time' in since ? since.time : undefined,
    until,
    language: language?.toLowerCase().replaceAll('_', '-'),
    states,
  }
}

function siteOf(text: string): SiteMatch {
  const match = parseSiteMatch(text)
  if ('fault' in match) throw new SettingError('site', `{site} '${text}' ${match.fault}`)
  return match
}
