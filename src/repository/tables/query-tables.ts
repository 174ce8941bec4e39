import { definePlainTable, type RowOf } from '../database/define-table.ts'

/** Cycles that improvability is learnt from: what older ones tell is no longer so. */
export const REMEMBERED_CYCLES = 20

// Logs have rows of these tables with their values in this order: a new column comes last.

/** The files of query logs that were read. */
export const QUERY_IMPORT = definePlainTable('query_import', {
  id: 'integer',
  format: 'text',
  file: 'text',
  sha256: 'text',
  bytes: 'long',
  imported_at: 'double',
  half_life: 'double',
  options: 'text',
  lines: 'long',
  skipped: 'long',
})

/** Queries in their normal form, each of them once. */
export const QUERY = definePlainTable('query', { id: 'integer', text: 'text' })

/** Searches; `name` is what a log calls one. Totals have no time. */
export const ASKED = definePlainTable('asked', {
  query_id: 'integer',
  import_id: 'integer',
  asked_at: 'double',
  count: 'double',
  name: 'text',
})

/** Results that searchers saw. */
export const IMPRESSION = definePlainTable('impression', {
  query_id: 'integer',
  import_id: 'integer',
  seen_at: 'double',
  url: 'text',
  rank: 'double',
  score: 'double',
  name: 'text',
})

export const CLICK = definePlainTable('click', {
  query_id: 'integer',
  import_id: 'integer',
  clicked_at: 'double',
  url: 'text',
  rank: 'double',
  count: 'double',
  weight: 'double',
  name: 'text',
})

export const JUDGMENT = definePlainTable('judgment', {
  query_id: 'integer',
  import_id: 'integer',
  url: 'text',
  grade: 'double',
})

/** The tables that imports of query logs write. */
export const QUERY_TABLES = [QUERY_IMPORT, QUERY, ASKED, IMPRESSION, CLICK, JUDGMENT] as const

/** What each cycle did for the queries. */
export const QUERY_PROGRESS = definePlainTable('query_progress', {
  cycle: 'integer',
  query: 'text',
  average_score: 'double',
  new_results: 'integer',
})

export type Asked = RowOf<typeof ASKED>
export type Impression = RowOf<typeof IMPRESSION>
export type Click = RowOf<typeof CLICK>
export type Judgment = RowOf<typeof JUDGMENT>
