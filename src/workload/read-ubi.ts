import { canonicalUrl } from '#parse/canonical-url.ts'
import { parseWebDate } from '#parse/web-date.ts'
import { isRecord, parsedRecord } from './json-rows.ts'
import { type Finding, type LogReader, type LogSink, malformed, unused } from './log-record.ts'

const CLICKS = new Set(['click', 'click_through'])
/** No log has seen more. */
const MAX_COUNT = 1e12

/**
 * Reads UBI records, one JSON object a line: queries and events in any order, alone or in the `_source`
 * of a search engine's dump.
 */
export function ubiReader(sink: LogSink): LogReader {
  return {
    read: (text, line) => {
      if (text.trim() !== '') sink(findingIn(text), line)
    },
    end: () => {},
  }
}

function findingIn(text: string): Finding {
  const parsed = parsedRecord(text)
  if (parsed === undefined) return malformed('not a JSON object')
  const record = isRecord(parsed._source) ? parsed._source : parsed
  if ('action_name' in record) return eventIn(record)
  if ('user_query' in record) return queryIn(record)
  return malformed('neither a UBI query (user_query) nor an event (action_name)')
}

type Fields = Readonly<Record<string, unknown>>

function queryIn(record: Fields): Finding {
  const { user_query, query_id, client_id, query_attributes, query_response_hit_ids } = record
  if (typeof user_query !== 'string') return malformed('user_query is no text')
  const at = timeOf(record.timestamp)
  if (at === 'bad') return malformed('timestamp is no ISO 8601 time')
  const hits = query_response_hit_ids ?? []
  if (!Array.isArray(hits)) return malformed('query_response_hit_ids is no list')
  // Ours: one record may stand for many, as exported from sources that only know totals.
  const count = isRecord(query_attributes) ? (query_attributes.count ?? 1) : 1
  if (typeof count !== 'number' || !(count > 0 && count <= MAX_COUNT))
    return malformed('query_attributes.count is no number above 0 that makes sense')
  const results = hits.map((id) => canonicalUrl(String(id)) ?? '')
  return {
    kind: 'asked',
    text: user_query,
    count,
    ...(at !== undefined && { at }),
    ...(isText(client_id) && { client: client_id }),
    ...(isText(query_id) && { name: query_id }),
    ...(results.length > 0 && { results }),
  }
}

function eventIn(record: Fields): Finding {
  const { action_name, query_id, event_attributes } = record
  if (typeof action_name !== 'string') return malformed('action_name is no text')
  if (!CLICKS.has(action_name)) return unused('an event that is no click')
  if (!isText(query_id)) return malformed('a click without query_id')
  const at = timeOf(record.timestamp)
  if (at === 'bad') return malformed('timestamp is no ISO 8601 time')
  const { object, position } = isRecord(event_attributes) ? event_attributes : {}
  const id = isRecord(object) ? object.object_id : undefined
  if (id === undefined) return malformed('a click without event_attributes.object.object_id')
  const url = canonicalUrl(String(id))
  if (url === undefined) return unused('a click whose object_id is no URL')
  const ordinal = isRecord(position) ? position.ordinal : undefined
  const count = isRecord(event_attributes) ? event_attributes.count : undefined
  return {
    kind: 'click',
    name: query_id,
    url,
    count: typeof count === 'number' && count > 0 && count <= MAX_COUNT ? count : 1,
    ...(at !== undefined && { at }),
    ...(typeof ordinal === 'number' && ordinal >= 1 && { rank: ordinal }),
  }
}

/** Undefined if there is none: the schema does not ask for one. */
function timeOf(timestamp: unknown): number | undefined | 'bad' {
  if (timestamp === undefined || timestamp === null) return undefined
  return (typeof timestamp === 'string' ? parseWebDate(timestamp) : undefined) ?? 'bad'
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
