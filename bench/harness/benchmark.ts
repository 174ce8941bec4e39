import { parseArgs } from 'node:util'
import { UsageError } from '#app/text/usage-error.ts'

/** By flag its default: a whole number, or a text. */
export type Flags = Readonly<Record<string, number | string>>

/** A program that measures something. What `run` gives is printed as JSON, after the benchmark's name. */
export interface Benchmark<F extends Flags = Flags> {
  /** What it measures, in a sentence. */
  readonly about: string
  readonly flags: F
  run(flags: F): Promise<object>
}

/** A benchmark is a file of `bench/` whose default export this is. */
export function benchmark<const F extends Flags>(
  program: Benchmark<{ [Flag in keyof F]: F[Flag] extends number ? number : string }> & {
    readonly flags: F
  },
): Benchmark {
  return program as unknown as Benchmark
}

/** Notes whether limits were kept: if not, the program ends with 1. */
export function mustHold(isWithin: boolean): boolean {
  if (!isWithin) process.exitCode = 1
  return isWithin
}

/** What `--help` prints. */
export function helpOf(name: string, { about, flags }: Benchmark): string {
  const lines = Object.entries(flags).map(
    ([flag, value]) => `  --${flag.padEnd(10)} ${value === '' ? 'none by default' : value}`,
  )
  return `${about}\n\nUsage: npm run bench -- ${name} [flags]\n\n${lines.join('\n')}`
}

/** The flags given, and defaults for the others; undefined if help is wanted. */
export function readFlags(args: string[], defaults: Flags): Flags | undefined {
  const names = Object.keys(defaults).map((flag) => [flag, { type: 'string' as const }])
  const { help, ...given } = parsed(args, {
    ...Object.fromEntries(names),
    help: { type: 'boolean', short: 'h' },
  })
  if (help) return undefined
  const flags: Record<string, number | string> = { ...defaults }
  for (const [flag, text] of Object.entries(given)) {
    const isNumber = typeof defaults[flag] === 'number'
    if (isNumber && !/^\d{1,15}$/.test(String(text)))
      throw new UsageError(`--${flag} must be a whole number, not "${text}"`)
    flags[flag] = isNumber ? Number(text) : String(text)
  }
  return flags
}

function parsed(
  args: string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>['options'],
): Record<string, unknown> {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}
