import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Damage } from '../damage.ts'
import { openDatabase } from '../database/open-database.ts'
import { KeptLog, LOG_FOLDER } from '../log/kept-log.ts'
import { cycleOf, journalFiles } from '../state/journal.ts'
import { rebuildTables } from '../state/rebuild-tables.ts'
import { takeUpLog } from '../state/take-up-log.ts'
import { logPosition } from '../tables/log-change.ts'
import { migrate } from '../tables/schema.ts'
import { writeBase } from '../tables/table-base.ts'
import type { Part } from './check-crawl.ts'
import { type ReadLog, readWholeLog } from './check-log.ts'
import { type ReadTables, readWholeTables } from './read-tables.ts'

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

/**
 * Makes damaged tables again from the log, or begins a damaged log anew with the tables; where both are damaged,
 * what came before the first damage is kept. Gives what is lost.
 */
async function repairTables(dir: string): Promise<Damage[]> {
  const log = new KeptLog(dir)
  const read = await readWholeLog(log)
  const tables = await readWholeTables(dir)
  const isWrong =
    'problem' in tables || mismatches(tables, read, log).some(({ file }) => file === TABLES)
  if (isWrong) return fromLog(dir, log, read)
  return withTables(dir, log, read, tables.position ?? 0)
}

async function fromLog(dir: string, log: KeptLog, read: ReadLog): Promise<Damage[]> {
  const { base, entries } = log.numbers()
  const hasBeginning = base === undefined ? entries[0] === 1 : read.damagedBase === undefined
  if (!hasBeginning) return [] // nothing can be done: the next check says so
  const lost = setAside(log, read, (base ?? 0) + 1)
  await rebuildTables(dir)
  return lost.length === 0 ? [] : [...lost, ...(await setJournalAside(dir))]
}

/** Tables that are whole need no entry that they have; what is damaged after that is lost. */
async function withTables(
  dir: string,
  log: KeptLog,
  read: ReadLog,
  position: number,
): Promise<Damage[]> {
  const ofLog = setAside(log, read, position + 1)
  const lost = ofLog.length === 0 ? [] : [...ofLog, ...(await setJournalAside(dir))]
  const isBroken =
    read.damagedBase !== undefined || read.damaged.some((it) => it.number <= position)
  if (!isBroken && position <= log.last()) return lost
  const { connection, close } = await openDatabase(dir)
  try {
    await migrate(connection, dir)
    await takeUpLog(connection, log)
    const reached = (await logPosition(connection)) ?? 0
    await writeBase(connection, log.basePath(reached))
  } finally {
    close()
  }
  return lost
}

/** Puts the first damaged entry from a number on aside, with all that follow: they build on it. Gives what is lost. */
function setAside(log: KeptLog, { damaged }: ReadLog, from: number): Damage[] {
  const first = damaged.find(({ number }) => number >= from)
  if (!first) return []
  const { entries } = log.numbers()
  const last = log.last()
  for (const number of entries)
    if (number >= first.number) renameSync(log.pathOf(number), `${log.pathOf(number)}.damaged`)
  const { file, problem } = first
  const range = last > first.number ? `entries ${first.number} to ${last}` : `entry ${last}`
  return [{ file, problem, lost: `${range} of the log: cycles, settings or imports` }]
}

/** A cycle that was cut off builds on the one before: without that, its fetches have URLs that nobody knows. */
async function setJournalAside(dir: string): Promise<Damage[]> {
  const tables = await readWholeTables(dir)
  const lastCycle = 'problem' in tables ? 0 : tables.lastCycle
  const cut = journalFiles(dir).filter((name) => cycleOf(name) > lastCycle + 1)
  for (const name of cut) {
    const path = join(dir, 'segments', name)
    renameSync(path, `${path}.damaged`)
  }
  return cut.map((name) => ({
    file: `segments/${name}`,
    problem: `it follows a cycle that is lost, and the tables end with cycle ${lastCycle}`,
    lost: 'the fetches of the cycle that was cut off',
  }))
}
