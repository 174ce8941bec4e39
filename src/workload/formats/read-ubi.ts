import { isJsonObject } from '#parse/text/json-value.ts'
import { parseWebDate } from '#parse/text/web-date.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { JsonRows, MAX_RECORD_CHARS, parsedJson, scalarText } from './json-rows.ts'
import { type Finding, type LogReader, type LogSink, malformed, unused } from './log-record.ts'

const CLICKS = new Set(['click', 'click_through'])
/** No log has seen more. */
const MAX_COUNT = 1e12
/** Nobody looks at later results. */
const MOST_RESULTS = 1000
const NOTHING: Fields = {}

/**
 * Reads UBI records: queries and events in any order, bare or in the `_source` of a search
 * engine's dump. They come as one JSON object a line, or as a list in one document.
 */
export function ubiReader(sink: LogSink): LogReader {
  const byRow = (row: Fields, line: number) => sink(findingIn(row), line)
  const byDocument = () => new JsonRows(byRow, (line, reason) => sink(malformed(reason), line))
  const byLine: LogReader = {
    read: (text, line) => {
      if (text.length > MAX_RECORD_CHARS) {
        const rows = byDocument()
        rows.read(text, line)
        return rows.end()
      }
      const rows = text.trim() === '' ? [] : rowsIn(text)
      if (rows === undefined) sink(malformed('not a JSON object'), line)
      else for (const row of rows) byRow(row, line)
    },
    end: () => {},
  }
  let reader: LogReader | undefined
  return {
    read: (text, line) => {
      if (reader === undefined && text.trim() === '') return
      reader ??= opensDocument(text) ? byDocument() : byLine
      reader.read(text, line)
    },
    end: () => reader?.end(),
  }
}

/** Whether a list of records begins here that goes on in the next lines. */
function opensDocument(text: string): boolean {
  if (text.length > MAX_RECORD_CHARS) return !/[\]}]/.test(text.trimEnd().slice(-1))
  return /^\s*(?:\[\s*(?:\{|$)|\{\s*$)/.test(text) && rowsIn(text) === undefined
}

/** The records of a line: one, those of a list, or the hits of a search engine's answer. */
function rowsIn(text: string): Fields[] | undefined {
  const parsed = parsedJson(text)
  if (!isJsonObject(parsed)) return rowsOf(parsed)
  return isJsonObject(parsed.hits) ? rowsOf(parsed.hits.hits) : [parsed]
}

function rowsOf(list: unknown): Fields[] | undefined {
  return Array.isArray(list) ? list.map((row) => (isJsonObject(row) ? row : NOTHING)) : undefined
}

function findingIn(row: Fields): Finding {
  const record = isJsonObject(row._source) ? row._source : row
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
  const count = isJsonObject(query_attributes) ? (query_attributes.count ?? 1) : 1
  if (typeof count !== 'number' || !(count > 0 && count <= MAX_COUNT))
    return malformed('query_attributes.count is no number above 0 that makes sense')
  const results = hits.slice(0, MOST_RESULTS).map((id) => canonicalUrl(scalarText(id)) ?? '')
  return {
    kind: 'asked',
    text: user_query,
    count,
    at,
    client: isText(client_id) ? client_id : undefined,
    name: isText(query_id) ? query_id : undefined,
    results: results.length > 0 ? results : undefined,
  }
}

function eventIn(record: Fields): Finding {
  const { action_name, query_id, event_attributes } = record
  if (typeof action_name !== 'string') return malformed('action_name is no text')
  if (!CLICKS.has(action_name)) return unused('an event that is no click')
  if (!isText(query_id)) return malformed('a click without query_id')
  const at = timeOf(record.timestamp)
  if (at === 'bad') return malformed('timestamp is no ISO 8601 time')
  const { object, position } = isJsonObject(event_attributes) ? event_attributes : {}
  const id = isJsonObject(object) ? object.object_id : undefined
  if (id === undefined) return malformed('a click without event_attributes.object.object_id')
  const url = canonicalUrl(scalarText(id))
  if (url === undefined) return unused('a click whose object_id is no URL')
  const rank = rankIn(position)
  const count = isJsonObject(event_attributes) ? event_attributes.count : undefined
  return {
    kind: 'click',
    name: query_id,
    url,
    count: typeof count === 'number' && count > 0 && count <= MAX_COUNT ? count : 1,
    at,
    rank,
  }
}

/** From 1: `{ordinal: 3}`, or `{ordinal: {index: 3}}` as some write it; undefined if it says something else. */
function rankIn(position: unknown): number | undefined {
  const ordinal = isJsonObject(position) ? position.ordinal : undefined
  const rank = Number(scalarText(isJsonObject(ordinal) ? ordinal.index : ordinal))
  return rank >= 1 && rank <= MAX_COUNT ? rank : undefined
}

/** Undefined if there is none: the schema does not ask for one. Engines may store milliseconds. */
function timeOf(timestamp: unknown): number | undefined | 'bad' {
  if (timestamp === undefined || timestamp === null) return undefined
  if (typeof timestamp === 'number') return isLikelyTime(timestamp) ? timestamp / 1000 : 'bad'
  return (typeof timestamp === 'string' ? parseWebDate(timestamp) : undefined) ?? 'bad'
}

/** Of the years 2000 to 2100: seconds, or nonsense, would be taken for a time long past. */
function isLikelyTime(milliseconds: number): boolean {
  return milliseconds >= Date.UTC(2000) && milliseconds < Date.UTC(2100)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
