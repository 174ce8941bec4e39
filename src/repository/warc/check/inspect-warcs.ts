import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FetchEntry } from '#learn/entries/fetch-entry.ts'
import { streamNamedRows } from '../../database/named-rows.ts'
import { journalFiles } from '../../state/journal.ts'
import { forEachJournalLine } from '../../state/journal-lines.ts'
import { askReadableTables } from '../../tables/readable-tables.ts'
import { readCdxjLine } from '../cdxj.ts'
import { type DamagedStretch, isSettled, readStretches } from '../damaged-stretches.ts'
import { INDEX_FILE } from '../recover-warcs.ts'
import { forEachCdxjLine } from '../sort-cdxj.ts'
import { DEFAULT_PREFIX, newestWarcs } from '../warc-files.ts'
import { type InspectedWarc, inspectWarc, type WarcGap } from './inspect-warc.ts'

/** Damage in a WARC file, and the URLs whose answers lay there. */
export interface LostStretch extends DamagedStretch {
  readonly reason: string
  readonly urls: readonly string[]
  /** The URL of the last whole answer before it. */
  readonly after?: string
}

/** What is wrong with the WARC files of a crawl and no repair has settled yet. */
interface WarcFindings {
  readonly stretches: readonly LostStretch[]
  /** What is wrong with the index, if anything. */
  readonly indexProblem?: string
}

/** Reads all records of a crawl's WARC files, their index, and what the tables say of them. */
export async function inspectWarcs(dir: string, folder: string): Promise<WarcFindings> {
  const files = await inspectFiles(folder)
  const index = await readIndex(folder, files)
  const settled = readStretches(folder)
  const lost = new Map<string, Map<number, string>>() // by file and offset: the URL
  const expect = ({ file, offset, url }: KnownPlace) => {
    if (files.get(file)?.answers.has(offset) || isSettled(settled, file, offset)) return
    if (!lost.has(file)) lost.set(file, new Map())
    lost.get(file)!.set(offset, url)
  }
  await forEachPlace(dir, expect)
  forEachPlaceInJournal(dir, expect)
  for (const place of index.lost) expect(place)
  const newest = newestWarcs(folder, DEFAULT_PREFIX)
  const stretches: LostStretch[] = []
  for (const file of new Set([...files.keys(), ...lost.keys()])) {
    const found = files.get(file)
    const here = lost.get(file) ?? new Map<number, string>()
    const isCounted = (gap: WarcGap) =>
      !isSettled(settled, file, gap.from) &&
      !(newest.has(file) && isLeftOver(gap, found!, here, index.indexed.get(file)))
    const gaps = (found?.gaps ?? []).filter(isCounted)
    stretches.push(...lostIn(file, withStrayPlaces(gaps, here, found?.size), here))
  }
  const indexProblem = problemOf(folder, index, files, newest)
  return { stretches, indexProblem }
}

async function inspectFiles(folder: string): Promise<Map<string, InspectedWarc>> {
  const files = new Map<string, InspectedWarc>()
  if (!existsSync(folder)) return files
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.warc.gz')) files.set(name, await inspectWarc(join(folder, name)))
  return files
}

interface InspectedIndex {
  /** Offsets of answers that have their line, by file. */
  readonly indexed: ReadonlyMap<string, ReadonlySet<number>>
  /** Lines that fit no record. */
  readonly stray: number
  /** What lines tell of and no file has. */
  readonly lost: readonly KnownPlace[]
}

async function readIndex(
  folder: string,
  files: ReadonlyMap<string, InspectedWarc>,
): Promise<InspectedIndex> {
  const indexed = new Map([...files.keys()].map((file) => [file, new Set<number>()]))
  const ids = new Set([...files.values()].flatMap(({ answers }) => [...answers.values()].map(idOf)))
  const settled = readStretches(folder)
  const lost: KnownPlace[] = []
  let stray = 0
  const path = join(folder, INDEX_FILE)
  // A last line without its end is left over from a kill.
  if (existsSync(path))
    await forEachCdxjLine(path, (line) => {
      const entry = readCdxjLine(line)
      const { filename: file = '', offset = -1, url = '' } = entry ?? {}
      const answer = files.get(file)?.answers.get(offset)
      if (answer?.line === line) indexed.get(file)!.add(offset)
      else if (!isSettled(settled, file, offset)) {
        stray++
        // If its record is there, the line is damaged; else the record is lost.
        if (entry && !answer && !ids.has(entry.record)) lost.push({ file, offset, url })
      }
    })
  return { indexed, stray, lost }
}

const idOf = ({ id }: { readonly id: string }): string => id

/**
 * Whether the end of the newest file is what a kill left: nobody knows of an answer there, and the exchange before is whole
 * or was not indexed yet, as that comes last.
 */
function isLeftOver(
  { isTail, from }: WarcGap,
  { last }: InspectedWarc,
  lost: ReadonlyMap<number, string>,
  indexed: ReadonlySet<number> | undefined,
): boolean {
  if (!isTail || [...lost.keys()].some((offset) => offset >= from)) return false
  const isWhole = last.type === undefined || last.type === 'metadata' || last.type === 'warcinfo'
  return isWhole || last.answer === undefined || indexed?.has(last.answer) !== true
}

/** Gaps, and places that lie in none: behind the end of a file, or where it has other records. */
function withStrayPlaces(
  gaps: readonly WarcGap[],
  lost: ReadonlyMap<number, string>,
  size = 0,
): WarcGap[] {
  const offsets = [...lost.keys()].filter(
    (offset) => !gaps.some(({ from, to }) => from <= offset && offset < to),
  )
  const stray = offsets
    .filter((offset) => offset < size)
    .map((from) => ({ from, to: from + 1, reason: 'no answer is there any more', isTail: false }))
  const behind = offsets.filter((offset) => offset >= size)
  if (behind.length === 0) return [...gaps, ...stray]
  const to = behind.reduce((most, offset) => Math.max(most, offset), 0) + 1
  const reason = size === 0 ? 'it is missing or empty' : 'the file ends before'
  const tail = gaps.find((gap) => gap.to === size) ?? { from: size, to, reason, isTail: true }
  return [...gaps.filter((gap) => gap !== tail), ...stray, { ...tail, to }]
}

function lostIn(
  file: string,
  gaps: readonly WarcGap[],
  lost: ReadonlyMap<number, string>,
): LostStretch[] {
  return gaps.map(({ from, to, reason, after }) => {
    const urls = [...lost].flatMap(([offset, url]) => (from <= offset && offset < to ? [url] : []))
    return { file, from, to, reason, urls, after }
  })
}

function problemOf(
  folder: string,
  { stray, indexed }: InspectedIndex,
  files: ReadonlyMap<string, InspectedWarc>,
  newest: ReadonlySet<string>,
): string | undefined {
  let missing = 0
  for (const [file, { answers }] of files) {
    const lines = indexed.get(file)!
    const last = [...lines].reduce((most, offset) => Math.max(most, offset), -1)
    // The newest records may wait for the next crawl to index them.
    for (const offset of answers.keys())
      if (!lines.has(offset) && !(newest.has(file) && offset > last)) missing++
  }
  if (!existsSync(join(folder, INDEX_FILE)))
    return [...files.values()].some(({ answers }) => answers.size > 1) ? 'it is missing' : undefined
  if (stray + missing === 0) return undefined
  return `${stray} of its lines fit no record, and it lacks ${missing} records`
}

/** A place where an answer should be. */
interface KnownPlace {
  readonly file: string
  readonly offset: number
  readonly url: string
}

/** Visits all places where the tables say that answers lie, as far as they can be read. */
async function forEachPlace(dir: string, visit: (place: KnownPlace) => void): Promise<void> {
  const sql = `SELECT warc_file AS file, warc_offset AS offset, url
               FROM fetch_log f JOIN url u ON u.id = f.url_id WHERE warc_file IS NOT NULL`
  const shape = { file: String, offset: Number, url: String }
  await askReadableTables(dir, async (connection) => {
    for await (const place of streamNamedRows(connection, sql, shape)) visit(place)
  })
}

/** The same of fetches that a kill kept from the tables. Damaged lines are told by who checks the journal. */
function forEachPlaceInJournal(dir: string, visit: (place: KnownPlace) => void): void {
  for (const name of journalFiles(dir))
    forEachJournalLine(join(dir, 'segments', name), ({ json = '{}' }) => {
      const { warc, outcome }: Partial<FetchEntry> = JSON.parse(json)
      if (warc && outcome) visit({ ...warc, url: outcome.url })
    })
}
