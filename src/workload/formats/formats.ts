import type { LogOptions, LogReader, LogSink } from './log-record.ts'
import { accessLogReader } from './read-accesslog.ts'
import { csvReader } from './read-csv.ts'
import { gscReader } from './read-gsc.ts'
import { matomoReader } from './read-matomo.ts'
import { trecReader } from './read-trec.ts'
import { ubiReader } from './read-ubi.ts'

export interface LogFormat {
  readonly reader: (sink: LogSink, options: LogOptions) => LogReader
  /** Whether it tells one client from another, so that rare queries can be dropped. */
  readonly knowsClients: boolean
  readonly what: string
}

/** The query logs that can be imported, by the name of `--format`. */
// biome-ignore format: a table reads better with one line a format
export const LOG_FORMATS: Readonly<Record<string, LogFormat>> = {
  ubi: { reader: ubiReader, knowsClients: true, what: 'UBI 1.3.0 queries and events, JSON lines' },
  csv: { reader: csvReader, knowsClients: false, what: 'query,count[,url,clicks]' },
  gsc: { reader: gscReader, knowsClients: false, what: 'Google Search Console: Queries.csv, or API rows as JSON' },
  accesslog: { reader: accessLogReader, knowsClients: true, what: 'nginx or Apache, combined format' },
  trec: { reader: trecReader, knowsClients: false, what: 'TREC topics and qrels' },
  matomo: { reader: matomoReader, knowsClients: false, what: 'Matomo site search keywords, CSV or JSON' },
}
