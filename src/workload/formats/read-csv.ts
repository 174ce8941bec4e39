import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { CsvRows } from './csv-rows.ts'
import { type Finding, type LogReader, type LogSink, malformed, unused } from './log-record.ts'
import { writtenDecimal } from './written-number.ts'

/**
 * As in /etc/passwd: a table of something else, which would otherwise be read as one query a
 * line.
 */
const COLONS = /^[^:\s]+(?::[^:]*){3,}$/

/**
 * Reads `query,count[,url,clicks]`. Without a count a query counts once. A first row whose count is no
 * number is a header; rows of one query add up.
 */
export function csvReader(sink: LogSink): LogReader {
  let isFirst = true
  return new CsvRows(
    (fields, line) => {
      const isHeader = isFirst && looksLikeHeader(fields)
      isFirst = false
      if (!isHeader) for (const finding of findingsIn(fields)) sink(finding, line)
    },
    (line, reason) => sink(malformed(reason), line),
  )
}

function looksLikeHeader([query, count]: readonly string[]): boolean {
  if (count === undefined) return /^(?:quer(?:y|ies)|keywords?|search(?: terms?)?)$/i.test(query)
  return count.trim() !== '' && !/\d/.test(count)
}

function findingsIn(fields: readonly string[]): Finding[] {
  const [text, count = '', url = '', clicks = ''] = fields.map((field) => field.trim())
  if (fields.length > 4) return [malformed(`more columns than query,count,url,clicks`)]
  if (text === '') return [malformed('no query text')]
  if (fields.length === 1 && COLONS.test(text))
    return [malformed('fields between colons: query,count needs commas, semicolons or tabs')]
  const times = count === '' ? 1 : writtenDecimal(count)
  if (times === undefined) return [malformed('the count is no number')]
  const chosen = clicks === '' ? 0 : writtenDecimal(clicks)
  if (chosen === undefined) return [malformed('the number of clicks is no number')]
  const address = url === '' ? undefined : canonicalUrl(url)
  const findings: Finding[] = []
  // The search was made, whatever became of the click.
  if (url !== '' && address === undefined) findings.push(unused('clicks on no web address'))
  else if (address === undefined && chosen > 0) findings.push(unused('clicks without a URL'))
  if (times > 0) findings.push({ kind: 'asked', text, count: times })
  if (address !== undefined && chosen > 0)
    findings.push({ kind: 'click', text, url: address, count: chosen })
  return findings.length > 0 ? findings : [unused('asked 0 times')]
}
