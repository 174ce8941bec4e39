import type { TrackedProgress } from '#learn/entries/entry.ts'
import { columnsFrom, defineTable } from '../database/define-table.ts'

/** The first version of the tables that knows query logs. */
export const WITH_QUERIES = 3

/** A file of a query log that was read. */
interface ImportedFile {
  readonly id: number
  readonly format: string
  readonly file: string
  readonly sha256: string
  readonly bytes: number
  readonly importedAt: number
  readonly halfLife: number
  readonly options: string
  readonly lines: number
  readonly skipped: number
}

const imports = columnsFrom<ImportedFile>(WITH_QUERIES)

export const QUERY_IMPORT = defineTable('query_import', {
  id: imports.integer(({ id }) => id),
  format: imports.text(({ format }) => format),
  file: imports.text(({ file }) => file),
  sha256: imports.text(({ sha256 }) => sha256),
  bytes: imports.long(({ bytes }) => bytes),
  imported_at: imports.double(({ importedAt }) => importedAt),
  half_life: imports.double(({ halfLife }) => halfLife),
  options: imports.text(({ options }) => options),
  lines: imports.long(({ lines }) => lines),
  skipped: imports.long(({ skipped }) => skipped),
})

const queries = columnsFrom<{ readonly id: number; readonly text: string }>(WITH_QUERIES)

/** Queries in their normal form, each of them once. */
export const QUERY = defineTable('query', {
  id: queries.integer(({ id }) => id),
  text: queries.text(({ text }) => text),
})

/** What every record of a log says. */
interface QueryRecord {
  readonly queryId: number
  readonly importId: number
  /** Seconds since 1970; left out where the log has totals without times. */
  readonly at?: number
  /** What the log calls this search. */
  readonly name?: string
}

export interface Asked extends QueryRecord {
  readonly count: number
}

const asked = columnsFrom<Asked>(WITH_QUERIES)

export const ASKED = defineTable('asked', {
  query_id: asked.integer(({ queryId }) => queryId),
  import_id: asked.integer(({ importId }) => importId),
  asked_at: asked.double(({ at }) => at),
  count: asked.double(({ count }) => count),
  name: asked.text(({ name }) => name),
})

export interface Impression extends QueryRecord {
  readonly url: string
  readonly rank: number
}

const impressions = columnsFrom<Impression>(WITH_QUERIES)

/** A result that searchers saw. */
export const IMPRESSION = defineTable('impression', {
  query_id: impressions.integer(({ queryId }) => queryId),
  import_id: impressions.integer(({ importId }) => importId),
  seen_at: impressions.double(({ at }) => at),
  url: impressions.text(({ url }) => url),
  rank: impressions.double(({ rank }) => rank),
  score: impressions.double(() => null), // no log that we read tells it
  name: impressions.text(({ name }) => name),
})

export interface Click extends QueryRecord {
  readonly url: string
  readonly rank?: number
  readonly count: number
  readonly weight: number
}

const clicks = columnsFrom<Click>(WITH_QUERIES)

export const CLICK = defineTable('click', {
  query_id: clicks.integer(({ queryId }) => queryId),
  import_id: clicks.integer(({ importId }) => importId),
  clicked_at: clicks.double(({ at }) => at),
  url: clicks.text(({ url }) => url),
  rank: clicks.double(({ rank }) => rank),
  count: clicks.double(({ count }) => count),
  weight: clicks.double(({ weight }) => weight),
  name: clicks.text(({ name }) => name),
})

export interface Judgment {
  readonly queryId: number
  readonly importId: number
  readonly url: string
  readonly grade: number
}

const judgments = columnsFrom<Judgment>(WITH_QUERIES)

export const JUDGMENT = defineTable('judgment', {
  query_id: judgments.integer(({ queryId }) => queryId),
  import_id: judgments.integer(({ importId }) => importId),
  url: judgments.text(({ url }) => url),
  grade: judgments.double(({ grade }) => grade),
})

/** The tables that imports of query logs write. */
export const QUERY_TABLES = [QUERY_IMPORT, QUERY, ASKED, IMPRESSION, CLICK, JUDGMENT] as const

/** What a cycle did for a query. */
interface CycleProgress extends TrackedProgress {
  readonly cycle: number
}

/** Cycles that improvability is learnt from: what older ones tell is no longer so. */
export const REMEMBERED_CYCLES = 20

const progress = columnsFrom<CycleProgress>(WITH_QUERIES)

export const QUERY_PROGRESS = defineTable('query_progress', {
  cycle: progress.integer(({ cycle }) => cycle),
  query: progress.text(({ query }) => query),
  average_score: progress.double(({ averageScore }) => averageScore),
  new_results: progress.integer(({ newResults }) => newResults),
})
