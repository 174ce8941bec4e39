import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { meanOf } from '#lab/report/rows.ts'
import { showViews } from '#lab/report/show-views.ts'

/** Where stored results lie; `store-result.ts` writes them. */
export const DATA = join(import.meta.dirname, '..', 'docs', 'results', 'data')

/** What a marker says of the table below it. */
interface TableSpec {
  /** The stored result's name. */
  readonly of: string
  /** Fields that name a line. */
  readonly columns: readonly string[]
  /** A column for each value of this field, or for each of these fields. */
  readonly across: string | readonly string[]
  /** The number shown under a value of `across`, mean over rows; a second one stands in brackets. */
  readonly cell?: string | readonly [string, string]
  readonly digits?: number
  /** Which rows, in this order: values by field. */
  readonly where?: Readonly<Record<string, readonly (string | number)[]>>
  /** How fields and values are called. */
  readonly words?: Readonly<Record<string, string>>
}

type Row = Readonly<Record<string, string | number | null>>

const MARKED = /<!-- table (\{.*?\}) -->\n[\s\S]*?<!-- \/table -->/g

/** A document with every marked table as its stored result has it. */
export function withResultTables(markdown: string, readStored = storedRows): string {
  return markdown.replace(MARKED, (_, json: string) => {
    const spec = JSON.parse(json) as TableSpec
    return `<!-- table ${json} -->\n${tableText(spec, readStored(spec.of))}\n<!-- /table -->`
  })
}

function storedRows(name: string): Row[] {
  return (JSON.parse(readFileSync(join(DATA, `${name}.json`), 'utf8')) as { rows: Row[] }).rows
}

function tableText(spec: TableSpec, all: readonly Row[]): string {
  const { columns, across, cell, digits = 3, words = {} } = spec
  const called = (value: unknown) => words[String(value)] ?? String(value)
  const rows = Object.entries(spec.where ?? {}).reduce(
    (some, [field, values]) =>
      values.flatMap((value) => some.filter((row) => row[field] === value)),
    [...all],
  )
  if (rows.length === 0) throw new Error(`no rows for the table ${JSON.stringify(spec)}`)
  const [first, second] = typeof cell === 'string' ? [cell, ''] : (cell ?? ['', ''])
  // Several fields beside each other are as many rows, each with one of them.
  const long =
    typeof across === 'string'
      ? rows.map((row) => ({ ...row, across: row[across], first: row[first], second: row[second] }))
      : rows.flatMap((row) => across.map((field) => ({ ...row, across: field, first: row[field] })))
  const { tables } = showViews<{ long: Row[] }>(
    [
      {
        as: 'table',
        of: 'long',
        caption: '',
        columns: columns.map((field) => [field, (row) => called(row[field])] as const),
        across: {
          by: 'across',
          cell: (some) => {
            const [one, other] = ['first', 'second'].map((name) =>
              shown(meanOf(some, name), digits),
            )
            return other === undefined ? one : `${one} (${other})`
          },
        },
      },
    ],
    { long },
  )
  const [{ header, rows: lines }] = tables
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`
  return [line(header.map(called)), line(header.map(() => '---')), ...lines.map(line)].join('\n')
}

function shown(value: number | undefined, digits: number): string | undefined {
  if (value === undefined) return undefined
  return Number.isInteger(value) && value >= 10 ? value.toLocaleString('en') : value.toFixed(digits)
}
