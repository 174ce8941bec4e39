import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { DEFAULT_DIR } from '#library/settings/settings.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { DamagedFileError } from '#repository/damage.ts'
import { namedDamage } from '#repository/database/name-damage.ts'
import { UsageError } from '../text/usage-error.ts'

/** Commands whose second word says what they do. */
const OF_TWO_WORDS = new Set(['lab', 'queries'])
const MAX_CHARS = 300

/** What DuckDB says of a file that it could open, and found damaged while it was not asked for anything. */
export function damageOfTables(
  error: unknown,
  args: readonly string[],
): DamagedFileError | undefined {
  if (!(error instanceof Error)) return undefined
  const found = /"([^"]*)\/state\.duckdb(?:\.wal)?"/.exec(error.message)?.[1]
  const dir = found ?? flagValue('--dir', args) ?? DEFAULT_DIR
  const named = namedDamage(error, `${dir}/state.duckdb`, dir)
  return named instanceof DamagedFileError ? named : undefined
}

/** The user's own policy file, if what nobody caught was thrown in it. */
export function faultOfPolicyFile(error: unknown, args: readonly string[]): UsageError | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const file = args.find(
    (arg, i) => args[i - 1] === '--policy-file' && stack.includes(pathToFileURL(resolve(arg)).href),
  )
  if (file === undefined) return undefined
  return new UsageError(`--policy-file ${file} failed: ${shortly(String(error))}`, { cause: error })
}

/** One line on an error that only we can have made, and the whole story for those who ask for it. */
export function ourFault(
  error: unknown,
  args: readonly string[],
  debug: string | undefined,
): { readonly line: string; readonly story?: string } {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : kindOf(error)
  const command = args.slice(0, OF_TWO_WORDS.has(args[0]) ? 2 : 1).join(' ')
  const line = `this is a fault of forager, not yours, met in "forager ${shortly(command)}": ${shortly(what)}. Please report it`
  const isDebug = (debug ?? '') !== '' || flagValue('--log-level', args) === 'debug'
  if (isDebug) return { line, story: inspect(error) }
  return { line: `${line}; FORAGER_DEBUG=1 shows where it comes from` }
}

function kindOf(thrown: unknown): string {
  return typeof thrown === 'string'
    ? thrown
    : `something was thrown that is no error (${inspect(thrown)})`
}

function shortly(text: string): string {
  const plain = plainText(text)
  return plain.length > MAX_CHARS ? `${plain.slice(0, MAX_CHARS)}…` : plain
}

/** The value of a flag, as `--dir x` or `--dir=x`. */
function flagValue(flag: string, args: readonly string[]): string | undefined {
  const at = args.lastIndexOf(flag)
  if (at >= 0) return args[at + 1]
  return args.findLast((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1)
}
