import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Damage } from '../damage.ts'
import { writeDurably } from '../durable-file.ts'
import { journalFiles } from '../state/journal.ts'
import { forEachJournalLine, type JournalLine, lineHead } from '../state/journal-lines.ts'
import type { Part } from './check-crawl.ts'

/** The journal of a cycle that a kill cut off. */
export const journalPart: Part = {
  name: 'journal',
  paths: ['segments'],
  whileCrawling: true,
  check: async ({ dir }) =>
    journalFiles(dir).flatMap((name) =>
      damagedLines(dir, name).map(({ line }) => ({
        file: `segments/${name}`,
        problem: `line ${line} does not match its checksum`,
        remedy: 'take the line out',
        lost: 'a finished fetch, which will be made again',
      })),
    ),
  repair: async ({ dir }) => journalFiles(dir).flatMap((name) => repairSegment(dir, name)),
}

function damagedLines(dir: string, name: string): JournalLine[] {
  const damaged: JournalLine[] = []
  const path = join(dir, 'segments', name)
  // A crawl drops a segment when its cycle ends.
  if (!existsSync(path)) return []
  forEachJournalLine(path, (line) => {
    if (line.json === undefined) damaged.push(line)
  })
  return damaged
}

/** Keeps the lines that are whole, and the damaged file beside them. */
function repairSegment(dir: string, name: string): Damage[] {
  const path = join(dir, 'segments', name)
  const kept: Buffer[] = []
  let lost = 0
  forEachJournalLine(path, ({ json }) => {
    if (json === undefined) lost++
    else kept.push(lineOf(json))
  })
  if (lost === 0) return []
  copyFileSync(path, `${path}.damaged`)
  writeDurably(path, ...kept)
  const what = lost === 1 ? 'a finished fetch' : `${lost} finished fetches`
  const damage = { file: `segments/${name}`, problem: `damaged lines: ${lost}` }
  return [{ ...damage, lost: `${what}, to be made again` }]
}

function lineOf(json: string): Buffer {
  const bytes = Buffer.from(json)
  return Buffer.concat([Buffer.from(lineHead(bytes)), bytes, Buffer.from('\n')])
}
