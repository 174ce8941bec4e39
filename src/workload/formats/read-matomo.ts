import { byFirstLine } from './by-first-line.ts'
import { CsvRows } from './csv-rows.ts'
import { JsonRows, scalarText } from './json-rows.ts'
import { type Finding, type LogReader, type LogSink, malformed, unused } from './log-record.ts'
import { writtenCount } from './written-number.ts'

/**
 * Reads Matomo's `Actions.getSiteSearchKeywords` as CSV or JSON. How often a keyword was asked is its
 * `nb_hits`, or its visits where hits are missing.
 */
export function matomoReader(sink: LogSink): LogReader {
  return byFirstLine(
    () => jsonReader(sink),
    () => tableReader(sink),
  )
}

function jsonReader(sink: LogSink): LogReader {
  return new JsonRows(
    ({ label, nb_hits, nb_visits }, line) => sink(keyword(label, nb_hits ?? nb_visits), line),
    (line, reason) => sink(malformed(reason), line),
  )
}

function tableReader(sink: LogSink): LogReader {
  let columns: Columns | undefined
  return new CsvRows(
    (fields, line) => {
      if (columns) {
        const { label, hits, visits } = columns
        sink(keyword(fields[label], fields[hits] || fields[visits]), line)
        return
      }
      columns = columnsOf(fields)
      if (!columns) {
        columns = { label: 0, hits: 1, visits: 1 }
        sink(malformed('no header with "label" and "nb_hits"; taking the first two columns'), line)
      }
    },
    (line, reason) => sink(malformed(reason), line),
  )
}

/** Columns of the table; one of the last two may be missing. */
interface Columns {
  readonly label: number
  readonly hits: number
  readonly visits: number
}

function columnsOf(header: readonly string[]): Columns | undefined {
  const place = (pattern: RegExp) => header.findIndex((name) => pattern.test(name.trim()))
  const label = place(/^(?:label|keyword)$/i)
  const hits = place(/^(?:nb_hits|searches)$/i)
  const visits = place(/^(?:nb_visits|visits)$/i)
  return label < 0 || Math.max(hits, visits) < 0 ? undefined : { label, hits, visits }
}

function keyword(label: unknown, hits: unknown): Finding {
  if (typeof label !== 'string' || label.trim() === '') return malformed('no query text')
  const count = writtenCount(scalarText(hits))
  if (count === undefined) return malformed('the count is no number')
  if (count === 0) return unused('asked 0 times')
  // The last row of a report that was cut off.
  if (/^(?:others?|-1)$/i.test(label.trim())) return unused('a summary of rare keywords')
  return { kind: 'asked', text: label, count }
}
