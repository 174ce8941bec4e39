import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Interval, intervalText } from '#lab/metrics/bootstrap.ts'
import { groupsBy, meanOf, numbersOf } from '#lab/report/rows.ts'
import { showViews } from '#lab/report/show-views.ts'

export const DOCUMENTS = join(import.meta.dirname, '..', 'docs', 'results')

/** What a marker says of the table below it. */
export interface TableSpec {
  /** The stored result's name. */
  readonly of: string
  /** The name of the files it is stored from, if that is another; so two tables of one run can be stored. */
  readonly from?: string
  /** Which table of the result; `rows` if left out. A result without it is one row. */
  readonly table?: string
  /** New fields, each of several others: `"web": ["archive", "queries"]`. */
  readonly join?: Readonly<Record<string, readonly string[]>>
  /** Fields that name a line. */
  readonly columns: readonly string[]
  /** A column for each value of this field, or for each of these fields. */
  readonly across: string | readonly string[]
  /** The number shown under a value of `across`; a second one stands in brackets. */
  readonly cell?: string | readonly [string, string]
  /** Of several rows in one cell: their mean, or the least, as of a policy with its best setting. */
  readonly fold?: 'mean' | 'least'
  /** Whether half of a 95 % confidence interval stands behind a mean. */
  readonly spread?: boolean
  readonly digits?: number
  /** Which rows, in this order: values by field. */
  readonly where?: Readonly<Record<string, readonly (string | number)[]>>
  /** A field `step` is the place of a row's value of this field among all of its result. */
  readonly step?: string
  /** How fields and values are called. */
  readonly words?: Readonly<Record<string, string>>
}

export type Row = Readonly<Record<string, string | number | null>>

/** What gave a result. */
export interface Made {
  readonly command: string
  readonly commit: string
  readonly date: string
}

export interface Stored {
  readonly made: readonly Made[]
  readonly rows: readonly Row[]
}

const MARKED = /<!-- table (\{.*?\}) -->\n[\s\S]*?<!-- \/table -->/g
const SPREAD = '±'

/** The tables that a document marks. */
export function markedTables(markdown: string): TableSpec[] {
  return Array.from(markdown.matchAll(MARKED), ([, json]) => JSON.parse(json) as TableSpec)
}

/** A document with every marked table as its stored result has it, and below the first of each result what gave it. */
export function withResultTables(markdown: string, readStored = readResult): string {
  const told = new Set<string>()
  return markdown.replace(MARKED, (_, json: string) => {
    const spec = JSON.parse(json) as TableSpec
    const { made, rows } = readStored(spec.of)
    const origin = originText(made)
    const parts = [tableText(spec, rows), ...(told.has(origin) ? [] : [origin])]
    told.add(origin)
    return `<!-- table ${json} -->\n${parts.filter(Boolean).join('\n\n')}\n<!-- /table -->`
  })
}

/** Commands to copy, under the state of the program that they were run with. */
function originText(made: readonly Made[]): string {
  if (made.length === 0) return ''
  const states = groupsBy(made, ({ commit, date }) => `# ${commit.slice(0, 8)}, ${date}`)
  const lines = [...states].flatMap(([state, some]) => [
    state,
    ...new Set(some.map(({ command }) => command.replace(/^forager /, 'npx forager '))),
  ])
  return ['```', ...lines, '```'].join('\n')
}

export function storedFile(name: string): string {
  return join(DOCUMENTS, 'data', `${name}.json`)
}

export function readResult(name: string): Stored {
  return JSON.parse(readFileSync(storedFile(name), 'utf8')) as Stored
}

/** What tables of one name need of the rows of results: one row for all that no table tells apart. */
export function neededRows(specs: readonly TableSpec[], results: readonly object[]): Row[] {
  const [{ table = 'rows', step = '' }] = specs
  const keys = namesOf(specs, ({ columns, across, where = {} }) => [
    ...columns,
    ...(typeof across === 'string' ? [across] : []),
    ...Object.keys(where),
  ])
  const cells = namesOf(specs, ({ across, cell = [] }) => [
    ...(typeof across === 'string' ? [] : across),
    ...[cell].flat(),
  ])
  const joins = Object.assign({}, ...specs.map(({ join = {} }) => join)) as TableSpec['join']
  const rows = results.flatMap((result) => {
    const own = (result as Record<string, Row[]>)[table] ?? [result]
    const places = [...new Set(own.map((row) => row[step] as number))].sort((a, b) => a - b)
    return own.map((row) =>
      joined({ ...result, step: places.indexOf(row[step] as number) + 1, ...row }, joins),
    )
  })
  const wanted = rows.filter((row) => specs.some((spec) => isWanted(row, spec)))
  const alike = groupsBy(wanted, (row) => JSON.stringify(keys.map((key) => row[key])))
  return Array.from(alike.values(), (own) =>
    Object.fromEntries([
      ...keys.map((key) => [key, own[0][key] ?? null] as const),
      ...cells.flatMap((cell) => foldedCell(own, cell, specs)),
    ]),
  )
}

/** A row with its joined fields, and with fields of fields by their paths. */
function joined(row: object, joins: TableSpec['join'] = {}): Row {
  const fields = Object.entries(joins).map(([name, parts]) => [
    name,
    parts.map((part) => (row as Row)[part]).join(', '),
  ])
  return { ...flat(row), ...Object.fromEntries(fields) }
}

function flat(row: object, path = ''): Record<string, Row[string]> {
  return Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) => {
      const isGroup = value !== null && typeof value === 'object' && !Array.isArray(value)
      const own = { [path + name]: value }
      return isGroup ? { ...own, ...flat(value, `${path}${name}.`) } : own
    }),
  )
}

function namesOf(specs: readonly TableSpec[], of: (spec: TableSpec) => string[]): string[] {
  return [...new Set(specs.flatMap(of))]
}

function isWanted(row: Row, { where = {} }: TableSpec): boolean {
  return Object.entries(where).every(([field, values]) =>
    values.some((value) => value === row[field]),
  )
}

function foldedCell(
  rows: readonly Row[],
  cell: string,
  specs: readonly TableSpec[],
): (readonly [string, Row[string]])[] {
  const interval = rows[0][cell] as unknown as Interval | string | number | null
  if (interval !== null && typeof interval === 'object') return [[cell, intervalText(interval)]]
  if (typeof interval === 'string') return [[cell, interval]]
  const numbers = numbersOf(rows, cell)
  const isLeast = specs.some(({ fold }) => fold === 'least')
  const value = isLeast && numbers.length > 0 ? Math.min(...numbers) : meanOf(rows, cell)
  const spread = specs.some((spec) => spec.spread) && numbers.length > 1
  return [
    [cell, rounded(value)],
    ...(spread ? [[cell + SPREAD, rounded(halfInterval(numbers))] as const] : []),
  ]
}

/** More digits than a document shows, and fewer than a float has. */
function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(5))
}

/** Student's t of 97.5 % for 1, 2, … degrees of freedom; 1.96 in the limit. */
const STUDENT = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26]

function halfInterval(numbers: readonly number[]): number {
  const { length } = numbers
  const mean = numbers.reduce((sum, number) => sum + number, 0) / length
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0)
  return (STUDENT[length - 2] ?? 1.96) * Math.sqrt(squares / (length - 1) / length)
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
  const cellsOf = (row: Row, one: string, other: string) => ({
    ...{ first: row[one], second: row[other], spread: row[one + SPREAD] },
  })
  // Several fields beside each other are as many rows, each with one of them.
  const long =
    typeof across === 'string'
      ? rows.map((row) => ({ ...row, across: row[across], ...cellsOf(row, first, second) }))
      : rows.flatMap((row) =>
          across.map((field) => ({ ...row, across: field, ...cellsOf(row, field, '') })),
        )
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
            // An interval is stored as it is shown.
            if (typeof some[0].first === 'string') return some[0].first
            const [one, spread, other] = ['first', 'spread', 'second'].map((name) =>
              shown(meanOf(some, name), digits),
            )
            const half = spec.spread && spread !== undefined ? ` ± ${spread}` : ''
            return one && `${one}${half}${other === undefined ? '' : ` (${other})`}`
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
