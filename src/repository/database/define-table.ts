/** What a column holds. `COLUMN_KINDS` says how it is stored and read. */
export type ColumnKind = 'integer' | 'long' | 'double' | 'boolean' | 'text' | 'word' | 'hash'

/** What is appended, by kind. */
export interface Written {
  integer: number | null | undefined
  long: number | null | undefined
  double: number | null | undefined
  boolean: boolean | null | undefined
  text: string | null | undefined
  word: string | null | undefined
  hash: readonly [low: number, high: number] | null | undefined
}

/** One column of a table, declared once: all that writes or reads it goes by this. */
export interface Column<Row, Kind extends ColumnKind = ColumnKind, Word extends string = string> {
  readonly kind: Kind
  /** Its value in a row that is appended. */
  readonly of: (row: Row) => Written[Kind]
  /** The first version of the schema that has it; left out of those that 0.1.0 had. Older rows have no value. */
  readonly since?: number
  /** What a row without a value is read as: −1 for whole numbers, unless this says otherwise. */
  readonly missing?: number
  /** All words it may hold. */
  readonly words?: readonly Word[]
  /** SQL of a column that is not stored, but made from others when it is read. */
  readonly sql?: string
}

type Options = Pick<Column<unknown>, 'since' | 'missing'>

/** The ways to declare a column of a table whose rows are `Row`. */
export function columnsFrom<Row>() {
  const kind =
    <Kind extends ColumnKind>(kind: Kind) =>
    (of: (row: Row) => Written[Kind], options: Options = {}): Column<Row, Kind> => ({
      ...{ kind, of, ...options },
    })
  return {
    /** A whole number of at most 31 bits, such as an id. −1 is stored as none, and none read as −1. */
    integer: kind('integer'),
    /** A whole number of at most 53 bits; none is read as NaN. */
    long: kind('long'),
    /** None is read as NaN. */
    double: kind('double'),
    boolean: kind('boolean'),
    text: kind('text'),
    /** 64 bits as two words; none is read as 0. */
    hash: kind('hash'),
    /** One of a few words. */
    word: <Word extends string>(
      words: readonly Word[],
      of: (row: Row) => Word | null | undefined,
      options: Options = {},
    ): Column<Row, 'word', Word> => ({ kind: 'word', words, of, ...options }),
    /** A number that SQL makes from other columns when rows are read. */
    computed: (sql: string): Column<Row, 'double'> & { readonly sql: string } => ({
      kind: 'double',
      ...{ sql, of: () => null },
    }),
  }
}

/** A table with its columns by name. */
export interface Table<Columns extends AnyColumns = AnyColumns> {
  readonly name: string
  readonly columns: Columns
  /** Names of the columns that are stored, in the order in which they came to be; the log's rows have it too. */
  readonly stored: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
type AnyColumns = Readonly<Record<string, Column<any>>>

/** What is appended to a table. */
export type RowOf<T extends Table> = T['columns'][keyof T['columns']] extends {
  readonly of: (row: infer Row) => unknown
}
  ? Row
  : never

export function defineTable<const Columns extends AnyColumns>(
  name: string,
  columns: Columns,
): Table<Columns> {
  const stored = Object.keys(columns).filter((column) => columns[column].sql === undefined)
  stored.sort((a, b) => (columns[a].since ?? 0) - (columns[b].since ?? 0)) // stable: else as declared
  return { name, columns, stored }
}

/** A table whose rows are objects with a field for each of its columns. */
export function definePlainTable<const Kinds extends Readonly<Record<string, PlainKind>>>(
  name: string,
  kinds: Kinds,
): Table<{ readonly [Name in keyof Kinds]: Column<PlainRow<Kinds>, Kinds[Name]> }> {
  const columns = Object.entries(kinds).map(([column, kind]) => [
    column,
    { kind, of: (row: PlainRow<Kinds>) => row[column] },
  ])
  return defineTable(name, Object.fromEntries(columns))
}

type PlainKind = Exclude<ColumnKind, 'word' | 'hash'>
type PlainRow<Kinds extends Readonly<Record<string, PlainKind>>> = {
  readonly [Name in keyof Kinds]: Written[Kinds[Name]]
}
