/** A result as `lab run --out` writes it: rows, and the fields that tell which row is which. */
export interface ComparableResult {
  readonly experiment: string
  readonly keys: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** One number of one row that is not the same in both. */
export interface Change {
  /** The row, as the values of its keys. */
  readonly row: readonly (string | number)[]
  readonly field: string
  /** Null where a run could not tell, as without judgments. */
  readonly before: number | null
  readonly after: number | null
  /** Whether both intervals (`ciLow` … `ciHigh`) lie apart; undefined where rows have none. */
  readonly apart?: boolean
}

interface Comparison {
  readonly keys: readonly string[]
  readonly changes: readonly Change[]
  readonly sameRows: number
  readonly onlyBefore: readonly (readonly (string | number)[])[]
  readonly onlyAfter: readonly (readonly (string | number)[])[]
}

type Row = ComparableResult['rows'][number]

/** What changed from one run of an experiment to another, row by row. */
export function compareResults(before: ComparableResult, after: ComparableResult): Comparison {
  const keys = after.keys
  const nameOf = (row: Row) => JSON.stringify(keys.map((key) => row[key] ?? null))
  const labelOf = (row: Row) => keys.map((key) => label(row[key]))
  const twins = new Map(before.rows.map((row) => [nameOf(row), row]))
  const changes: Change[] = []
  const onlyAfter: (readonly (string | number)[])[] = []
  let sameRows = 0
  for (const row of after.rows) {
    const name = nameOf(row)
    const twin = twins.get(name)
    twins.delete(name)
    if (!twin) {
      onlyAfter.push(labelOf(row))
      continue
    }
    const found = changedNumbers(twin, row, keys)
    if (found.length === 0) sameRows++
    for (const change of found) changes.push({ row: labelOf(row), ...change })
  }
  return { keys, changes, sameRows, onlyBefore: [...twins.values()].map(labelOf), onlyAfter }
}

function changedNumbers(before: Row, after: Row, keys: readonly string[]): Omit<Change, 'row'>[] {
  const was = numbersOf(before)
  const changes: Omit<Change, 'row'>[] = []
  for (const [field, value] of numbersOf(after)) {
    const old = was.get(field)
    // A field that only one of them has came with another version of the program.
    if (old === undefined || old === value || keys.includes(field) || isBound(field)) continue
    const apart = field === mainField(after) ? intervalsApart(was, numbersOf(after)) : undefined
    changes.push({ field, before: old, after: value, apart })
  }
  return changes
}

/** The numbers of a row, and those it lacks; those of an object in it under `field.name`. */
function numbersOf(row: Row): Map<string, number | null> {
  const numbers = new Map<string, number | null>()
  const collect = (value: unknown, path: string) => {
    if (typeof value === 'number' || value === null) numbers.set(path, value)
    else if (typeof value === 'object')
      for (const [name, inner] of Object.entries(value)) collect(inner, `${path}.${name}`)
  }
  for (const [field, value] of Object.entries(row)) collect(value, field)
  return numbers
}

const isBound = (field: string): boolean => field === 'ciLow' || field === 'ciHigh'

/** `ciLow` and `ciHigh` belong to the last number before them. */
function mainField(row: Row): string | undefined {
  const fields = Object.keys(row)
  const bound = fields.indexOf('ciLow')
  return fields.slice(0, Math.max(0, bound)).findLast((field) => typeof row[field] === 'number')
}

function intervalsApart(
  a: ReadonlyMap<string, number | null>,
  b: ReadonlyMap<string, number | null>,
): boolean | undefined {
  const bounds = [a.get('ciLow'), a.get('ciHigh'), b.get('ciLow'), b.get('ciHigh')]
  if (bounds.some((bound) => typeof bound !== 'number')) return undefined
  const [aLow, aHigh, bLow, bHigh] = bounds as number[]
  return aHigh < bLow || bHigh < aLow
}

function label(value: unknown): string | number {
  return typeof value === 'number' || typeof value === 'string' ? value : String(value ?? '–')
}
