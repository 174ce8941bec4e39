import type { DuckDBConnection } from '@duckdb/node-api'
import { namedRow, namedRows } from '../database/named-rows.ts'

type Shape = Parameters<typeof namedRows>[2]
type Values = Parameters<typeof namedRows>[3]

/** The tables of a crawl, to be asked by whoever tells people of it. */
export class Report {
  protected readonly connection: DuckDBConnection

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  /** All rows of a query. */
  protected rows<S extends Shape>(sql: string, shape: S, values?: Values) {
    return namedRows(this.connection, sql, shape, values)
  }

  /** The only row of a query. */
  protected row<S extends Shape>(sql: string, shape: S, values?: Values) {
    return namedRow(this.connection, sql, shape, values)
  }
}
