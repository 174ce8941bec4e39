import type { Damage } from '../damage.ts'
import { KeptLog, LOG_FOLDER } from '../log/kept-log.ts'
import { type ReadLog, readWholeLog } from './check-log.ts'
import type { Part } from './part.ts'
import { type ReadTables, readWholeTables } from './read-tables.ts'
import { repairTables } from './repair-tables.ts'

const TABLES = 'state.duckdb'

/** The tables and the log they are made from: each can be had from the other. */
export const tablesPart: Part = {
  name: 'tables and log',
  paths: [TABLES, `${TABLES}.wal`, LOG_FOLDER],
  whileCrawling: false,
  check: async ({ dir }) => {
    const log = new KeptLog(dir)
    const read = await readWholeLog(log)
    const tables = await readWholeTables(dir)
    const ofLog = logDamages(read, 'problem' in tables)
    if (!('problem' in tables)) return [...ofLog, ...mismatches(tables, read, log)]
    const hasLog = log.last() > 0 || log.numbers().base !== undefined
    if (!hasLog && tables.problem === 'it is missing') return ofLog
    return [...ofLog, tablesDamage(tables.problem, hasLog && read.damagedBase === undefined)]
  },
  repair: ({ dir }) => repairTables(dir),
}

function tablesDamage(problem: string, canRebuild: boolean): Damage {
  const damage = { file: TABLES, problem }
  if (canRebuild) return { ...damage, remedy: 'make the tables again from the log' }
  return { ...damage, lost: 'what the crawl knew: there is no log to make it again from' }
}

function logDamages({ damaged, damagedBase }: ReadLog, tablesAreDamaged: boolean): Damage[] {
  const entries = damaged.map(({ file, problem }) => ({ file, problem }))
  const base = damagedBase === undefined ? [] : [{ file: damagedBase, problem: CHECKSUM }]
  return [...base, ...entries].map((damage) => ({
    ...damage,
    ...(tablesAreDamaged
      ? { lost: 'what came into the tables with it and after it' }
      : { remedy: 'begin the log anew with the tables as they are' }),
  }))
}

const CHECKSUM = 'its checksum does not match'

/** Whether two whole files tell of the same crawl. */
function mismatches(tables: ReadTables, read: ReadLog, log: KeptLog): Damage[] {
  const { base, entries } = log.numbers()
  const position = tables.position ?? 0
  if (position > log.last()) {
    const problem = `it has ${log.last()} entries, and the tables ${position}`
    return [{ file: LOG_FOLDER, problem, remedy: 'begin the log anew with the tables as they are' }]
  }
  const older = { file: TABLES, remedy: 'make the tables again from the log' }
  if (position < (base ?? 0)) return [{ ...older, problem: 'it is older than the log beside it' }]
  // What the tables lack is taken up when they are next opened; what they have must be the log's.
  const isWhole = base === undefined && read.damaged.length === 0 && position === log.last()
  if (!isWhole || entries.length === 0) return []
  if (tables.fetches === read.fetches && tables.lastCycle === read.lastCycle) return []
  const problem = `it has ${tables.fetches} fetches up to cycle ${tables.lastCycle}, the log ${read.fetches} up to cycle ${read.lastCycle}`
  return [{ ...older, problem }]
}
