import { UsageError } from '#errors/usage-error.ts'

/** The user's error in a file: names the file, the line (from 1) and what is wrong there. */
export function lineError(path: string, line: number, what: string): UsageError {
  return new UsageError(`${path}, line ${line}: ${what}`)
}
