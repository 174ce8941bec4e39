import { CsvRows } from './csv-rows.ts'

const ACCESS = /\[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "/

/** What a log most likely is, by its first line that says anything; undefined where that could be several. */
export function guessFormat(firstLine: string): string | undefined {
  const line = firstLine.trim()
  if (/^[[{]/.test(line)) return formatOfJson(line)
  if (ACCESS.test(line)) return 'accesslog'
  if (/^<(?:top|topics|num)\b/i.test(line)) return 'trec'
  const fields = fieldsOf(line)
  const has = (name: RegExp) => fields.some((field) => name.test(field))
  if (has(/^label$/i) && has(/^nb_(?:hits|visits)$/i)) return 'matomo'
  if (has(/impressions$/i) && has(/^(?:url )?clicks$/i)) return 'gsc'
  const [query, count] = fields
  // Topics of TREC have a number and a tab before the query.
  if (fields.length < 2 || fields.length > 4 || /^\d+$/.test(query)) return undefined
  const isHeader = /^quer(?:y|ies)$/i.test(query) && /^counts?$/i.test(count)
  return isHeader || /^\d+$/.test(count) ? 'csv' : undefined
}

function formatOfJson(line: string): string | undefined {
  const has = (...names: string[]) => names.some((name) => line.includes(`"${name}"`))
  if (has('user_query', 'action_name', 'query_id')) return 'ubi'
  if (has('nb_hits', 'nb_visits')) return 'matomo'
  return has('impressions') ? 'gsc' : undefined
}

function fieldsOf(line: string): string[] {
  const fields: string[] = []
  const rows = new CsvRows(
    (row) => fields.push(...row.map((field) => field.trim())),
    () => {},
  )
  rows.read(line, 1)
  return fields
}
