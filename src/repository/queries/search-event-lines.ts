import { type LogReader, type LogSink, malformed } from '#workload/formats/log-record.ts'
import { ubiReader } from '#workload/formats/read-ubi.ts'
import type { SearchEvent } from '#workload/formats/ubi.ts'
import { sealedLine, unsealedLine } from '../sealed-line.ts'

const DAMAGED_LINE = 'damaged'

/** All fields of UBI records, as lines of the first edition have them. */
const UBI_FIELDS = new Set([
  ...['application', 'query_id', 'client_id', 'user_query', 'timestamp', 'query_attributes'],
  ...['object_id_field', 'query_response_id', 'query_response_hit_ids', 'action_name'],
  ...['session_id', 'user_id', 'message_type', 'message', 'event_attributes'],
])

/** The event as one line of the search page's log, with its checksum and line break. */
export function searchEventLine(event: SearchEvent): string {
  return sealedLine(event)
}

/** The JSON of a line of that log; empty for one that a repair took out, undefined if it is damaged. */
export function readSearchEventLine(line: string): string | undefined {
  const text = line.replace(/^ +/, '')
  if (text === '') return line === '' ? undefined : ''
  return unsealedLine(text) ?? (isFirstEdition(text) ? text : undefined)
}

/** Reads the search page's log, and tells of lines that are not as they were written. */
export function searchEventReader(sink: LogSink): LogReader {
  const reader = ubiReader(sink)
  return {
    read: (text, line) => {
      const json = readSearchEventLine(text)
      if (json === undefined) sink(malformed(DAMAGED_LINE), line)
      else reader.read(json, line)
    },
    end: () => reader.end(),
  }
}

/** Lines had no checksum then. A damaged one of now does not pass for such: it has a field too many. */
function isFirstEdition(line: string): boolean {
  try {
    const event: object = JSON.parse(line)
    return JSON.stringify(event) === line && Object.keys(event).every((key) => UBI_FIELDS.has(key))
  } catch {
    return false
  }
}
