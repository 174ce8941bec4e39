import type { DuckDBConnection } from '@duckdb/node-api'
import { namedRow } from '../database/named-rows.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { openToLook } from '../state/look.ts'
import { PageStore } from '../text-index/page-store.ts'
import { EXPORTED_KINDS, type ExportedName, type ExportFormat } from './exported-kinds.ts'
import type { Selection } from './selection.ts'
import { type WrittenPart, writeParts } from './write-parts.ts'

export interface ExportTablesOptions {
  readonly what: ExportedName
  readonly format: ExportFormat
  readonly selection: Selection
  readonly texts: boolean
  /** Only what has a later position. */
  readonly after: number
  readonly partBytes?: number
  /** For WARC files: where exchanges lie, and what a file begins with. */
  readonly warcs?: { readonly folder: string; readonly warcinfo: (file: string) => Buffer }
  readonly nextFile: () => string
  readonly onPart: (part: WrittenPart) => void | Promise<void>
}

/**
 * Exports from a directory, also while a crawl runs there; nothing in it is written. Gives the position up to which all
 * that was selected is there.
 */
export async function exportTables(
  dir: string,
  makeFolder: () => string,
  options: ExportTablesOptions,
): Promise<number> {
  const { connection, close } = await openToLook(dir, makeFolder, () => true)
  try {
    return await exportFrom(connection, dir, options)
  } finally {
    close()
  }
}

/** The same from tables that somebody has open, by a connection of its own. */
export async function exportBeside(
  store: Pick<OpenDatabase, 'connect'>,
  dir: string,
  options: ExportTablesOptions,
): Promise<number> {
  const connection = await store.connect()
  try {
    return await exportFrom(connection, dir, options)
  } finally {
    connection.closeSync()
  }
}

async function exportFrom(
  connection: DuckDBConnection,
  dir: string,
  options: ExportTablesOptions,
): Promise<number> {
  const { what, texts, after, onPart } = options
  const kind = EXPORTED_KINDS[what]
  const pages = texts && kind.hasTexts ? PageStore.openToRead(dir) : undefined
  try {
    const { last } = await namedRow(
      connection,
      'SELECT coalesce(max(id), -1) AS last FROM fetch_log',
      { last: Number },
    )
    const textOf = pages && ((url: number) => pages.get(url)?.text || undefined)
    let written = after
    for await (const part of writeParts(connection, { ...options, kind, textOf })) {
      await onPart(part)
      written = part.position // may be later than the last, where a crawl goes on meanwhile
    }
    return kind.isWhole ? after : Math.max(written, last)
  } finally {
    pages?.close()
  }
}
