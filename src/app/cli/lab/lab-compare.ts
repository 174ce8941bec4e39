import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type Change, type ComparableResult, compareResults } from '#lab/compare-results.ts'
import { UsageError } from '../../text/usage-error.ts'
import { outputFor, some, table } from '../terminal/output.ts'

/** The flags of `forager lab compare`, and what it does. */
export function defineCompare(command: Command): void {
  command
    .option('--json', 'print the differences as JSON')
    .addHelpText('after', '\nExample:\n  forager lab compare before.json after.json')
    .action(runCompare)
}

function runCompare(beforeFile: string, afterFile: string, options: { json?: boolean }): void {
  const before = readResult(beforeFile)
  const after = readResult(afterFile)
  if (before.experiment !== after.experiment)
    throw new UsageError(
      `${beforeFile} is a result of ${before.experiment}, ${afterFile} of ${after.experiment}: compare two of one experiment`,
    )
  const comparison = compareResults(before, after)
  const { keys, changes, sameRows, onlyBefore, onlyAfter } = comparison
  outputFor(options).result(comparison, () =>
    [
      changes.length === 0
        ? 'no number changed'
        : table(
            [...keys, 'number', 'before', 'after', 'change', ''],
            changes.map((change) => [
              ...change.row,
              change.field,
              change.before ?? '–',
              change.after ?? '–',
              signed(change),
              change.apart ? 'intervals apart' : '',
            ]),
          ),
      `${some(sameRows, 'row is', 'rows are')} the same`,
      ...onlyIn(beforeFile, keys, onlyBefore),
      ...onlyIn(afterFile, keys, onlyAfter),
    ].join('\n'),
  )
}

function signed({ before, after }: Change): string {
  if (before === null || after === null) return ''
  const difference = after - before
  const share = before === 0 ? '' : ` (${((100 * difference) / Math.abs(before)).toFixed(1)} %)`
  return `${difference > 0 ? '+' : ''}${Number(difference.toPrecision(3))}${share}`
}

function onlyIn(
  file: string,
  keys: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  return rows.length === 0 ? [] : ['', `only in ${file}:`, table(keys, rows)]
}

/** Results hold objects in rows; what is nested much deeper was never written by us. */
const MAX_DEPTH = 5

function isRow(row: unknown, keys: readonly string[]): boolean {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return false
  const values = row as Record<string, unknown>
  return keys.every((key) => isFlat(values[key], 0)) && isFlat(row, MAX_DEPTH)
}

/** Whether a value has no more levels of objects than so many. */
function isFlat(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isFlat(inner, levels - 1))
}

function readResult(file: string): ComparableResult {
  let result: ComparableResult
  try {
    result = JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''))
  } catch (cause) {
    throw new UsageError(
      `${file} cannot be read as JSON (${(cause as Error).message}); name a result of forager lab run --out`,
      { cause },
    )
  }
  const isResult =
    typeof result?.experiment === 'string' &&
    Array.isArray(result.rows) &&
    Array.isArray(result.keys) &&
    result.keys.every((key) => typeof key === 'string') &&
    result.rows.every((row) => isRow(row, result.keys))
  if (!isResult) throw new UsageError(`${file} is no result of forager lab run --out`)
  return result
}
