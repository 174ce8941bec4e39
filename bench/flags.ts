import { parseArgs } from 'node:util'
import { UsageError } from '#app/text/usage-error.ts'

/** Reads flags that are whole numbers above 0; a flag not given keeps its default. */
export function numberFlags<T extends Record<string, number>>(args: string[], defaults: T): T {
  const options = Object.fromEntries(
    Object.keys(defaults).map((flag) => [flag, { type: 'string' as const }]),
  )
  const flags: Record<string, number> = { ...defaults }
  for (const [flag, text] of Object.entries(parse(args, options))) {
    const value = Number(text)
    if (!Number.isSafeInteger(value) || value <= 0) {
      throw new UsageError(`--${flag} must be a whole number above 0, not "${text}"`)
    }
    flags[flag] = value
  }
  return flags as T
}

function parse(args: string[], options: Record<string, { type: 'string' }>): object {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}
