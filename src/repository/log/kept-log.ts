import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedFileError } from '../damage.ts'
import { makeFolder } from '../make-folder.ts'
import { readEntryFile, writeEntryFile } from './entry-file.ts'
import type { CycleEntry } from './stored-entry.ts'

/** What a fetcher must not forget: rows of the tables of the same names, by host or origin. */
export interface MemoryRows {
  readonly host_state: readonly KeyedText[]
  readonly host_trust: readonly KeyedText[]
  readonly robots: readonly KeyedText[]
}
export type KeyedText = readonly [key: string, text: string]

/** `values` are settings that changed with it, as counts do. */
export type CycleHead = {
  readonly kind: 'cycle'
  readonly memory?: MemoryRows
  readonly values?: Readonly<Record<string, string>>
} & CycleEntry

/** One change of the tables. Its items follow it: fetches of a cycle, rows of an import. */
export type LogHead =
  | CycleHead
  | { readonly kind: 'settings'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'queries' }
  /** What was noted at later times than that counts as of then: the clock had been wrong. */
  | { readonly kind: 'clock'; readonly at: number }
  /** Its items are what was told. */
  | { readonly kind: 'told'; readonly at: number }
  /** Runs and searches go by the queries of the entries before, weighed at that time. */
  | { readonly kind: 'run' | 'searches'; readonly at: number }

/** A row that an import brought, values in the order of the table's columns. */
export type QueryRow = readonly [table: string, ...values: unknown[]]

/** The log's folder in a crawl's directory. */
export const LOG_FOLDER = 'log'

/**
 * Everything that ever changed the tables, one numbered file a change, kept for good. An entry is on the disk
 * before the tables have it, and they know the number of their latest one. So whatever they lack, as a
 * file, a write-ahead log or a commit is missing, is taken up from here (`take-up-log.ts`). A base is the tables as they
 * were after the entry of its number; no entry up to there is needed.
 */
export class KeptLog {
  readonly #dir: string
  readonly folder: string

  constructor(dir: string) {
    this.#dir = dir
    this.folder = join(dir, LOG_FOLDER)
  }

  /** Numbers of entries and of the latest base, ascending; entries that a base replaces are left out. */
  numbers(): { readonly base: number | undefined; readonly entries: readonly number[] } {
    const names = existsSync(this.folder) ? readdirSync(this.folder) : []
    const bases = numbersIn(names, /^base-(\d+)$/)
    const base = bases.at(-1)
    const entries = numbersIn(names, /^(\d+)\.jsonl\.zst$/)
    return { base, entries: entries.filter((number) => number > (base ?? 0)) }
  }

  /** The number of the latest entry; 0 for none. */
  last(): number {
    const { base = 0, entries } = this.numbers()
    return entries.at(-1) ?? base
  }

  pathOf(number: number): string {
    return join(this.folder, `${String(number).padStart(6, '0')}.jsonl.zst`)
  }

  basePath(number: number): string {
    return join(this.folder, `base-${String(number).padStart(6, '0')}`)
  }

  /** Makes an entry durable; one of the same number that never came into the tables is replaced. */
  async write(
    number: number,
    head: LogHead,
    items: Iterable<unknown> | AsyncIterable<unknown> = [],
  ): Promise<void> {
    makeFolder(this.folder)
    await writeEntryFile(this.pathOf(number), head, items)
  }

  /** What kind of change an entry is. */
  async head(number: number): Promise<LogHead> {
    for await (const head of this.read(number)) return head as LogHead
    throw this.damaged(this.pathOf(number), 'it is empty')
  }

  /** An entry's head, then its items. */
  async *read(number: number): AsyncGenerator<unknown> {
    try {
      yield* readEntryFile(this.pathOf(number))
    } catch (cause) {
      const problem = problemOf(cause)
      throw problem === undefined ? cause : this.damaged(this.pathOf(number), problem, cause)
    }
  }

  damaged(path: string, problem: string, cause?: unknown): DamagedFileError {
    return new DamagedFileError(path, problem, this.#dir, { cause })
  }
}

/** Whether a directory has a log. */
export function hasLog(dir: string): boolean {
  const { base, entries } = new KeptLog(dir).numbers()
  return base !== undefined || entries.length > 0
}

/** What is wrong with a file that could not be read, in a few words; undefined if that is not its fault. */
function problemOf(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'it is missing'
  return syscall === undefined ? 'its checksum does not match' : undefined
}

function numbersIn(names: readonly string[], pattern: RegExp): number[] {
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

/** Changes after which a plan is as good as it was. */
const SAYS_NO_NEWS: ReadonlySet<LogHead['kind']> = new Set(['cycle', 'run', 'searches'])

/**
 * What the latest plan of a log posted, best first; the last turns of a run plan nothing. Empty if settings, queries
 * or the clock changed since: the next plan will be another one. A damaged entry is for `forager check` to tell of, and posts nothing.
 */
export async function boardLeft(log: KeptLog): Promise<readonly number[]> {
  for (const number of log.numbers().entries.toReversed()) {
    const head = await log.head(number).catch(nothingIfDamaged)
    if (!head || !SAYS_NO_NEWS.has(head.kind)) return []
    if (head.kind !== 'cycle') continue
    const { plan } = head
    if (plan?.budget !== 0) return [...(plan?.urls ?? []), ...(plan?.reserved ?? [])]
  }
  return []
}

function nothingIfDamaged(error: unknown): undefined {
  if (!(error instanceof DamagedFileError)) throw error
}
