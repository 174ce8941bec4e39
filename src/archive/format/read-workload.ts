import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import type { Judgment, PageClicks, Query, Workload } from '#workload/workload.ts'
import { forEachGzipLine } from './gzip-lines.ts'
import { lineError } from './line-error.ts'

interface ReadWorkloadOptions {
  /** `popular` reads `queries-popular.tsv.gz` and `clicks-popular.tsv.gz` instead. */
  readonly variant?: string
}

/** The archive's workload; parts without a file are empty. A named variant must have its queries. */
export async function readWorkload(
  dir: string,
  options: ReadWorkloadOptions = {},
): Promise<Workload> {
  const { variant } = options
  const fileOf = (part: string) => join(dir, `${part}${variant ? `-${variant}` : ''}.tsv.gz`)
  if (variant && !existsSync(fileOf('queries')))
    throw new SettingError(
      'archive',
      `${dir} has no workload "${variant}": ${fileOf('queries')} is missing`,
    )
  const queries = await readQueries(fileOf('queries'))
  const judgments = await readJudgments(fileOf('qrels'), queries)
  const clicks = variant
    ? await readClicksByQuery(fileOf('clicks'))
    : await readClicks(fileOf('clicks'))
  return { queries: [...queries.values()], judgments, clicks }
}

async function readQueries(path: string): Promise<Map<string, Query>> {
  const queries = new Map<string, Query>()
  await forEachRow(path, ['qid', 'text', 'weight'], ([id, text, weight]) => {
    if (queries.has(id)) return `query ${id} is listed twice`
    const amount = amountOf(weight)
    if (amount === undefined) return `weight must be a number of at least 0, not "${weight}"`
    queries.set(id, { id, text, weight: amount })
    return undefined
  })
  return queries
}

async function readJudgments(path: string, queries: Map<string, Query>): Promise<Judgment[]> {
  const judgments: Judgment[] = []
  await forEachRow(path, ['qid', 'url', 'grade'], ([queryId, url, grade]) => {
    if (!queries.has(queryId)) return `there is no query ${queryId} in the queries file`
    if (!/^[0-4]$/.test(grade)) return `grade must be 0, 1, 2, 3 or 4, not "${grade}"`
    judgments.push({ queryId, url, grade: Number(grade) })
    return undefined
  })
  return judgments
}

async function readClicks(path: string): Promise<PageClicks[]> {
  const clicks: PageClicks[] = []
  await forEachRow(path, ['url', 'clicks'], ([url, count]) => {
    const amount = amountOf(count)
    if (amount === undefined) return `clicks must be a number of at least 0, not "${count}"`
    clicks.push({ url, clicks: amount })
    return undefined
  })
  return clicks
}

/** Clicks listed by query and page, summed by page. */
async function readClicksByQuery(path: string): Promise<PageClicks[]> {
  const sums = new Map<string, number>()
  await forEachRow(path, ['qid', 'url', 'clicks'], ([, url, count]) => {
    const amount = amountOf(count)
    if (amount === undefined) return `clicks must be a number of at least 0, not "${count}"`
    sums.set(url, (sums.get(url) ?? 0) + amount)
    return undefined
  })
  return Array.from(sums, ([url, clicks]) => ({ url, clicks }))
}

/** Calls `visit` for each row below the header; what it gives back is what is wrong with the row. */
async function forEachRow(
  path: string,
  header: readonly string[],
  visit: (fields: string[]) => string | undefined,
): Promise<void> {
  if (!existsSync(path)) return
  const lines = await forEachGzipLine(path, (text, line) => {
    const fields = text.split('\t', header.length + 1)
    if (line === 1 && text !== header.join('\t'))
      throw lineError(path, 1, `the header must be ${header.join(', ')} between tabs`)
    if (line === 1) return
    if (fields.length !== header.length)
      throw lineError(
        path,
        line,
        `needs ${header.length} fields between tabs, has ${fields.length > header.length ? 'more' : fields.length}`,
      )
    const wrong = visit(fields)
    if (wrong) throw lineError(path, line, wrong)
  })
  if (lines === 0)
    throw new SettingError('archive', `${path} is empty; it must open with a header line`)
}

function amountOf(text: string): number | undefined {
  const amount = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined
}
