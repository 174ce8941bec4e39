import { parseWebDate } from '#parse/text/web-date.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { byFirstLine } from './by-first-line.ts'
import { CsvRows } from './csv-rows.ts'
import { JsonRows, scalarText } from './json-rows.ts'
import { type Finding, type LogReader, type LogSink, malformed, unused } from './log-record.ts'
import { writtenCount, writtenDecimal } from './written-number.ts'

/**
 * Reads what Google Search Console gives: `Queries.csv` of an export, whatever its language, or rows of
 * the API as JSON. How often a query was asked is its impressions.
 */
export function gscReader(sink: LogSink): LogReader {
  return byFirstLine(
    () => jsonReader(sink),
    () => tableReader(sink),
  )
}

/** Where the columns are. */
interface Columns {
  readonly query: number
  readonly clicks: number
  readonly impressions: number
  readonly position: number
  readonly page?: number
}

/** An export always has this order, in every language. */
const EXPORT_ORDER: Columns = { query: 0, clicks: 1, impressions: 2, position: 4 }

const NAMES: readonly (readonly [keyof Columns, RegExp])[] = [
  ['page', /\b(?:pages?|landing|url|adresse|seiten?|páginas?|pagine)\b/iu],
  [
    'query',
    /quer(?:y|ies)|suchanfragen|requêtes|consultas|keyword|zoekopdrachten|запрос|クエリ|查询/iu,
  ],
  ['clicks', /cli(?:cks?|cs|ques|c)\b|klicks?|klikken|клики|クリック|点击/iu],
  ['impressions', /impress|weergaven|показы|表示|展示/iu],
  ['position', /posi(?:tion|ción|ção|zione)|positie|позиция|掲載順位|排名/iu],
]

function tableReader(sink: LogSink): LogReader {
  let columns: Columns | undefined
  return new CsvRows(
    (fields, line) => {
      if (columns === undefined) {
        columns = columnsOf(fields)
        if (writtenCount(fields[columns.impressions] ?? '') === undefined && line === 1) return
      }
      for (const finding of findingsInFields(fields, columns)) sink(finding, line)
    },
    (line, reason) => sink(malformed(reason), line),
  )
}

/** By name where the header has names we know, else by the order of an export. */
function columnsOf(header: readonly string[]): Columns {
  const found: Partial<Record<keyof Columns, number>> = {}
  header.forEach((name, column) => {
    const known = NAMES.find(([key, pattern]) => found[key] === undefined && pattern.test(name))
    if (known) found[known[0]] = column
  })
  const { query, clicks, impressions, position, page } = found
  if (query === undefined || clicks === undefined || impressions === undefined) return EXPORT_ORDER
  return { query, clicks, impressions, position: position ?? header.length, page }
}

function findingsInFields(fields: readonly string[], columns: Columns): Finding[] {
  if (fields.length < 3) return [malformed('fewer than 3 columns')]
  const field = (column: number | undefined) => fields[column ?? fields.length] ?? ''
  return findingsIn({
    text: field(columns.query),
    clicks: writtenCount(field(columns.clicks)),
    impressions: writtenCount(field(columns.impressions)),
    position: writtenDecimal(field(columns.position)),
    page: field(columns.page),
  })
}

function jsonReader(sink: LogSink): LogReader {
  return new JsonRows(
    (row, line) => {
      for (const finding of findingsInRow(row)) sink(finding, line)
    },
    (line, reason) => sink(malformed(reason), line),
  )
}

/** The API knows six. */
const MOST_DIMENSIONS = 20

/** A row of the API; which of its keys is what can be told by their looks. */
function findingsInRow({ keys, ...row }: Readonly<Record<string, unknown>>): Finding[] {
  if (!Array.isArray(keys)) return [malformed('no "keys": ask the API for dimensions')]
  const dimensions = keys.slice(0, MOST_DIMENSIONS).map(scalarText)
  const date = dimensions.find(isDay)
  const number = (value: unknown) =>
    typeof value === 'number' && value >= 0 && value <= 1e12 ? value : undefined
  return findingsIn({
    text: dimensions.find((key) => !isUrl(key) && !isDay(key)) ?? '',
    clicks: number(row.clicks ?? 0),
    impressions: number(row.impressions),
    position: number(row.position),
    page: dimensions.find(isUrl),
    at: date === undefined ? undefined : parseWebDate(date),
  })
}

const isUrl = (key: string) => /^https?:\/\//.test(key)
const isDay = (key: string) => /^\d{4}-\d\d-\d\d$/.test(key)

interface Numbers {
  readonly text: string
  readonly clicks: number | undefined
  readonly impressions: number | undefined
  readonly position: number | undefined
  readonly page: string | undefined
  readonly at?: number
}

function findingsIn(row: Numbers): Finding[] {
  const { text, clicks, impressions, position, page, at } = row
  if (text.trim() === '') return [malformed('no query text')]
  if (impressions === undefined) return [malformed('the impressions are no number')]
  if (clicks === undefined) return [malformed('the number of clicks is no number')]
  if (impressions === 0) return [unused('asked 0 times')]
  const when = at === undefined ? {} : { at }
  const asked: Finding = { kind: 'asked', text, count: impressions, ...when }
  const url = page === undefined || clicks === 0 ? undefined : canonicalUrl(page)
  if (url === undefined) return [asked]
  const rank = position === undefined || position < 1 ? {} : { rank: position }
  return [asked, { kind: 'click', text, url, count: clicks, ...rank, ...when }]
}
