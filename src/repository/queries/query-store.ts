import type { DuckDBConnection } from '@duckdb/node-api'
import type { UbiEvent } from '#workload/formats/ubi.ts'
import type { QueryProgress } from '#workload/improvability.ts'
import type { StoredWorkload } from '#workload/workload.ts'
import type { KeptLog } from '../log/kept-log.ts'
import { exportUbi, type UntimedQuery } from './export-ubi.ts'
import { type ImportOptions, type ImportReport, importQueries } from './import-queries.ts'
import { loadWorkload } from './load-workload.ts'
import { loadQueryProgress } from './query-progress.ts'

/** What a directory knows of searchers, and what its crawl did for them. */
export class QueryStore {
  readonly #connection: DuckDBConnection
  /** Left out where nothing that is written stays. */
  readonly #log: KeptLog | undefined

  constructor(connection: DuckDBConnection, log?: KeptLog) {
    this.#connection = connection
    this.#log = log
  }

  /** What searchers want, weighted by age; synthetic queries if no log was imported. */
  workload(now: number): Promise<StoredWorkload> {
    return loadWorkload(this.#connection, now)
  }

  /** What the last cycles did for the queries. */
  progress(): Promise<QueryProgress[]> {
    return loadQueryProgress(this.#connection)
  }

  /** Everything that was asked and clicked as UBI records, queries first. */
  export(): AsyncGenerator<UntimedQuery | UbiEvent> {
    return exportUbi(this.#connection)
  }

  /** Imports the files of one query log, all or nothing. */
  import(paths: readonly string[], options: ImportOptions): Promise<ImportReport> {
    return importQueries(this.#connection, paths, options, this.#log)
  }
}
