import { readFileSync, rmSync } from 'node:fs'
import { SettingError } from '#errors/setting-error.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { BEGINNING } from '#repository/export/export-folder.ts'
import { type ExportTablesOptions, exportTables } from '#repository/export/export-tables.ts'
import { folderForCopy } from '../open/folder-until-exit.ts'
import { noCrawlIn } from '../open/open-crawl.ts'
import type { PageRow } from './page-row.ts'
import { PushCursor } from './push-cursor.ts'
import type { PushTarget } from './push-target.ts'

/** About so much is read at a time. */
const PART_BYTES = 4 << 20

/** What was handed over, and up to where the target has everything. */
interface PushSummary {
  readonly to: string
  readonly pages: number
  readonly position: number
}

interface PushOptions {
  readonly dir: string
  readonly target: PushTarget
  /** From the beginning, whatever the target has. */
  readonly again?: boolean
  readonly signal?: AbortSignal
  readonly onPages?: (done: number, total: number) => void
}

/**
 * Hands everything to a target that it does not have yet, also while a crawl runs. The position is noted after each lot: a
 * killed call goes on there, and sends no more than one lot twice.
 */
export async function pushPages({ dir, ...options }: PushOptions): Promise<PushSummary> {
  if (!holdsCrawl(dir)) throw noCrawlIn(dir)
  return pushFrom(dir, options, (wanted) => exportTables(dir, folderForCopy, wanted))
}

/** The same from tables that somebody has open. */
export async function pushFrom(
  dir: string,
  { target, again = false, signal, onPages }: Omit<PushOptions, 'dir'>,
  exportRows: (wanted: ExportTablesOptions) => Promise<number>,
): Promise<PushSummary> {
  const cursor = new PushCursor(dir, target.name)
  if (again) cursor.moveTo(BEGINNING)
  let pages = 0
  const last = await exportRows({
    ...{ what: 'pages', format: 'jsonl', selection: {}, texts: target.wantsTexts },
    ...{ after: cursor.position, partBytes: PART_BYTES, nextFile: () => cursor.lotFile },
    onPart: async ({ rows, position, done, total }) => {
      await target.deliver(rowsIn(cursor.lotFile), signal)
      cursor.moveTo(position)
      pages += rows
      onPages?.(done, total)
    },
  })
  rmSync(cursor.lotFile, { force: true })
  cursor.moveTo(last)
  return { to: target.name, pages, position: last }
}

function rowsIn(file: string): PageRow[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => withoutNulls(JSON.parse(line)))
}

function withoutNulls(row: PageRow): PageRow {
  const told = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(told) as unknown as PageRow
}

/** Two of one name would share a cursor. */
export function mustDiffer(targets: readonly PushTarget[]): void {
  const names = targets.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw new SettingError('pushTo', `{pushTo}: ${twice} is named twice`)
}
