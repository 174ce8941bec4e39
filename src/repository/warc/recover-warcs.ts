import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { DamagedFileError } from '../damage.ts'
import { type CdxjEntry, cdxjLine, REVISIT_MIME, readCdxjLine } from './cdxj.ts'
import { hasStretch } from './damaged-stretches.ts'
import { indexWarc } from './index-warc.ts'
import { LastCaptures } from './last-captures.ts'
import { forEachCdxjLine } from './sort-cdxj.ts'
import { newestWarcs, warcFilesIn } from './warc-files.ts'

export const INDEX_FILE = 'index.cdxj'

/** What was found in a folder of WARC files, and done about it. */
export interface OpenedWarcs {
  /** Bytes of half-written ends that were cut off the newest files. */
  readonly cutBytes: number
  /** Records that the index lacked. */
  readonly indexed: number
  readonly captures: LastCaptures
}

/** What the tables of a crawl directory count on. */
export interface WarcsInTables {
  readonly dir: string
  /** By file: where the last answer lies that they know. */
  readonly lastOffsets: ReadonlyMap<string, number>
}

/**
 * Makes a folder whole again after a kill: the newest file of each writer loses what was being written, and the
 * index gets what it had no time for. Files are read from their last indexed record on, so that this
 * takes a moment however large they are. Without an index they are read whole.
 */
export async function recoverWarcs(
  dir: string,
  prefix: string,
  tables?: WarcsInTables,
): Promise<OpenedWarcs> {
  const indexPath = join(dir, INDEX_FILE)
  const captures = new LastCaptures()
  const lastIndexed = await readIndex(indexPath, captures)
  const files = warcFilesIn(dir, prefix)
  const newest = newestWarcs(dir, prefix)
  let cutBytes = 0
  let indexed = 0
  for (const { name } of files) {
    const path = join(dir, name)
    const from = lastIndexed.get(name)
    mustHold(dir, name, statSync(path).size, tables)
    if (!(await isRecordAt(path, from))) return rebuild(dir, prefix, tables)
    let tail: number | undefined
    let lines = ''
    const onDamage = (damage: { offset: number; isTail: boolean }) => {
      mustHold(dir, name, damage.offset, tables)
      if (damage.isTail) tail = damage.offset
    }
    for await (const entry of indexWarc(path, { from: from ?? 0, onDamage })) {
      if (entry.offset === from) continue
      remember(entry, captures)
      lines += cdxjLine(entry)
      indexed++
    }
    if (lines !== '') appendFileSync(indexPath, lines)
    // What a repair has listed as damaged stays: nothing may take its place.
    if (tail === undefined || !newest.has(name) || hasStretch(dir, name)) continue
    cutBytes += statSync(path).size - tail
    truncateSync(path, tail)
  }
  return { cutBytes, indexed, captures }
}

/** Offset of the last indexed record in each file; what is left of a half-written line is cut off. */
async function readIndex(path: string, captures: LastCaptures): Promise<Map<string, number>> {
  const lastIndexed = new Map<string, number>()
  if (!existsSync(path)) return lastIndexed
  const end = await forEachCdxjLine(path, (line) => {
    const entry = readCdxjLine(line)
    if (!entry) return
    const { filename, offset } = entry
    lastIndexed.set(filename, Math.max(offset, lastIndexed.get(filename) ?? 0))
    remember(entry, captures)
  })
  if (end < statSync(path).size) truncateSync(path, end)
  return lastIndexed
}

/** Whether the file still has the record that the index says it has. */
async function isRecordAt(path: string, offset: number | undefined): Promise<boolean> {
  if (offset === undefined) return true
  let damaged = false
  const onDamage = () => {
    damaged = true
  }
  try {
    for await (const entry of indexWarc(path, { from: offset, onDamage }))
      return !damaged && entry.offset === offset
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
  }
  return false
}

/** An index that does not fit its files is made anew. */
function rebuild(
  dir: string,
  prefix: string,
  tables: WarcsInTables | undefined,
): Promise<OpenedWarcs> {
  rmSync(join(dir, INDEX_FILE), { force: true })
  return recoverWarcs(dir, prefix, tables)
}

/** A kill takes nothing that the tables know: if that is gone, going on would hide it. */
function mustHold(
  folder: string,
  file: string,
  end: number,
  tables: WarcsInTables | undefined,
): void {
  const last = tables?.lastOffsets.get(file) ?? -1
  if (!tables || last < end || hasStretch(folder, file)) return
  throw new DamagedFileError(
    join(folder, file),
    `from byte ${end} on records are lost that the tables know`,
    tables.dir,
  )
}

/** Only a good and whole answer may be what a later one is compared with, or what a 304 stands for. */
export function remember(
  {
    url,
    mime,
    status,
    digest,
    at,
    record,
    truncated,
  }: Omit<CdxjEntry, 'offset' | 'length' | 'filename'>,
  captures: LastCaptures,
): void {
  if (mime === REVISIT_MIME || truncated || status < 200 || status > 299) return
  captures.set(url, { digest, at, id: record })
}
