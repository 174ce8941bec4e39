import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Damage } from '../damage.ts'
import { askReadableTables } from '../tables/readable-tables.ts'
import { forEachLogLine } from './log-lines.ts'
import { readSearchEventLine } from './search-event-lines.ts'
import { eventFiles } from './search-events.ts'
import { takenSearchEvents } from './taken-in.ts'

const NEWLINE = 10
const SPACE = 0x20
/** A server writes a line at once; one that has not come to its end by then was cut off. */
const WRITING_MS = 50

/** Reads the logs of the search page and gives the lines that are not as they were written. */
export async function checkSearchLog(dir: string): Promise<Damage[]> {
  const findings = await inspectLogs(dir)
  return findings.map((finding) => ({ ...damageOf(finding), remedy: 'take these lines out' }))
}

/**
 * Takes damaged lines out of the logs: blanks take their place, as the tables know by its bytes how much of a
 * log they have. Gives the lines that had not been taken in before: they are lost.
 */
export async function repairSearchLog(dir: string): Promise<Damage[]> {
  const findings = await inspectLogs(dir)
  for (const { path, size, taken, damaged } of findings) {
    const file = openSync(path, 'r+')
    try {
      let blankTo = 0
      for (const { start, end } of damaged) {
        // An empty line becomes a blank before the next one.
        blankTo = Math.max(end, start + 1)
        writeSync(file, Buffer.alloc(blankTo - start, SPACE), 0, blankTo - start, start)
      }
      if (size >= taken && blankTo < size) continue
      const missing = Buffer.alloc(Math.max(1, taken - size), SPACE)
      missing[missing.length - 1] = NEWLINE
      writeSync(file, missing, 0, missing.length, size)
    } finally {
      closeSync(file)
    }
  }
  return findings.map(damageOf).filter(({ lost }) => lost !== undefined)
}

interface InspectedLog {
  readonly path: string
  readonly name: string
  readonly size: number
  /** Bytes that the tables have. */
  readonly taken: number
  /** Lines that are damaged or have no end, and their bytes without line break. */
  readonly damaged: readonly {
    readonly line: number
    readonly start: number
    readonly end: number
  }[]
}

/** The logs in which something is wrong. */
async function inspectLogs(dir: string): Promise<InspectedLog[]> {
  const taken = await takenBytes(dir)
  const logs: InspectedLog[] = []
  for (const { path, file: name } of eventFiles(dir)) {
    const log = await inspectLog(path, name, taken.get(name) ?? 0)
    if (log.damaged.length > 0 || log.size < log.taken) logs.push(log)
  }
  return logs
}

async function inspectLog(path: string, name: string, taken: number): Promise<InspectedLog> {
  const bytes = await readAtRest(path)
  const isWhole: boolean[] = []
  await forEachLogLine(
    path,
    ({ text, line }) => {
      isWhole[line - 1] = text !== undefined && readSearchEventLine(text) !== undefined
    },
    { from: 0, wholeLinesOnly: true },
  )
  const damaged: { line: number; start: number; end: number }[] = []
  let start = 0
  for (let line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline < 0 ? bytes.length : newline
    if (newline < 0 || !isWhole[line - 1]) damaged.push({ line, start, end })
    start = end + 1
  }
  return { path, name, size: bytes.length, taken, damaged }
}

/** A log whose last line nobody is writing just now, as far as can be seen. */
async function readAtRest(path: string): Promise<Buffer> {
  for (;;) {
    const bytes = readFileSync(path)
    if (bytes.length === 0 || bytes.at(-1) === NEWLINE) return bytes
    await sleep(WRITING_MS)
    if (statSync(path).size === bytes.length) return bytes
  }
}

function damageOf({ name, size, taken, damaged }: InspectedLog): Damage {
  const lines = damaged.map(({ line }) => line)
  const problems = [
    ...(lines.length > 0 ? [`${lines.length > 1 ? 'lines' : 'line'} ${lines.join(', ')}`] : []),
    ...(size < taken ? [`it has ${size} bytes of the ${taken} that were taken in`] : []),
  ]
  const lost = damaged.filter(({ end }) => end >= taken).length
  const events = lost === 1 ? '1 search or choice' : `${lost} searches or choices`
  return { file: name, problem: problems.join('; '), ...(lost > 0 && { lost: events }) }
}

/** How much of each log the tables have, as far as they can be read. */
async function takenBytes(dir: string): Promise<Map<string, number>> {
  const taken = await askReadableTables(dir, takenSearchEvents)
  return new Map([...(taken ?? [])].map(([file, { bytes }]) => [file, bytes]))
}
