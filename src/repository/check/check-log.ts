import { basename } from 'node:path'
import { DamagedFileError } from '../damage.ts'
import { type KeptLog, LOG_FOLDER, type LogHead } from '../log/kept-log.ts'
import { damagedInBase } from '../tables/table-base.ts'

/** A log as it was read, entry by entry. */
export interface ReadLog {
  /** The entries that cannot be used, ascending, and why. */
  readonly damaged: readonly DamagedEntry[]
  /** A file of the base that is damaged, if one is. */
  readonly damagedBase: string | undefined
  /** Cycles, and fetches in them, that whole entries have. */
  readonly cycles: number
  readonly fetches: number
  /** The number of the latest cycle; 0 for none. */
  readonly lastCycle: number
  /** Whether it tells of all runs, and none of them left out the index. */
  readonly alwaysIndexed: boolean
}

interface DamagedEntry {
  readonly number: number
  /** Relative to the crawl's directory. */
  readonly file: string
  readonly problem: string
}

/** Reads the whole log, and says what of it cannot be used. */
export async function readWholeLog(log: KeptLog): Promise<ReadLog> {
  const { base, entries } = log.numbers()
  const damaged: DamagedEntry[] = []
  let [cycles, fetches, lastCycle] = [0, 0, 0]
  let alwaysIndexed = base === undefined
  const known = new Set(entries)
  for (let number = (base ?? 0) + 1; number <= log.last(); number++) {
    const file = `${LOG_FOLDER}/${basename(log.pathOf(number))}`
    const problem = known.has(number) ? undefined : 'it is missing'
    const read = problem === undefined ? await readEntry(log, number) : { problem }
    if ('problem' in read) damaged.push({ number, file, problem: read.problem })
    else if (read.head.kind === 'cycle') {
      cycles++
      fetches += read.items
      lastCycle = read.head.cycle
    } else if (read.head.kind === 'settings' && read.head.values.index === 'no')
      alwaysIndexed = false
  }
  const inBase = base === undefined ? [] : damagedInBase(log.basePath(base))
  const damagedBase =
    inBase.length === 0 ? undefined : `${LOG_FOLDER}/${basename(log.basePath(base!))}/${inBase[0]}`
  return { damaged, damagedBase, cycles, fetches, lastCycle, alwaysIndexed }
}

async function readEntry(
  log: KeptLog,
  number: number,
): Promise<{ head: LogHead; items: number } | { problem: string }> {
  try {
    let head: LogHead | undefined
    let items = -1
    for await (const line of log.read(number)) {
      head ??= line as LogHead
      items++
    }
    return { head: head!, items }
  } catch (error) {
    if (error instanceof DamagedFileError) return { problem: error.problem }
    throw error
  }
}
