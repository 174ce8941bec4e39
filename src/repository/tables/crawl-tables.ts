import type { Table } from '../database/define-table.ts'
import { CYCLE, FETCH_LOG } from './fetch-tables.ts'
import { HOST_STATE, HOST_TRUST, ROBOTS } from './memory-tables.ts'
import { CHANGE_CLAIM, PAGE } from './page-tables.ts'
import { QUERY_PROGRESS, QUERY_TABLES } from './query-tables.ts'
import { ANCHOR, HOST, LINK, URL_TABLE } from './url-tables.ts'

/**
 * The tables of `state.duckdb`. All grow by appending only; the present (a URL's state, a page's links) is the
 * latest row. Types are the portable few: BIGINT, DOUBLE, VARCHAR, BOOLEAN; times are seconds since 1970.
 */
export const CRAWL_TABLES: readonly Table[] = [
  ...[URL_TABLE, HOST, FETCH_LOG, PAGE, LINK, ANCHOR, CYCLE, CHANGE_CLAIM],
  ...[HOST_STATE, ROBOTS, HOST_TRUST],
  ...QUERY_TABLES,
  QUERY_PROGRESS,
]

/** The version of 0.1.0: what was before was never released. */
export const FIRST_VERSION = 6

/** A column that is declared with a greater `since` makes a new version; older directories get it when opened. */
export const SCHEMA_VERSION = Math.max(
  ...CRAWL_TABLES.flatMap(({ columns }) =>
    Object.values(columns).map(({ since = FIRST_VERSION }) => since),
  ),
)
