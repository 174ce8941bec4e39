import { createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { SettingError } from '#errors/setting-error.ts'
import { putInPlace, syncToDisk } from '#repository/durable-file.ts'
import { makeFolder } from '#repository/make-folder.ts'
import type { Workload } from '#workload/workload.ts'
import type { ArchiveRecords, PageRecord, VersionRecord } from './format.ts'

/** Fixed, as is zlib's header without a time, so that the same records give the same bytes. */
const GZIP_LEVEL = 6
const BATCH_CHARACTERS = 1 << 16

interface WriteArchiveOptions {
  /** Whether an archive that is there already may be replaced. */
  readonly replace?: boolean
}

/**
 * Writes an archive beside its place and moves it there once it is whole, so that a half-written one
 * never looks finished. The files are written one after the other: pages, versions, blocks, links.
 */
export async function writeArchive(
  dir: string,
  records: ArchiveRecords,
  options: WriteArchiveOptions = {},
): Promise<void> {
  const target = resolve(dir)
  await mustBeFree(dir, options.replace ?? false)
  const partial = join(dirname(target), `.${basename(target)}.partial-${process.pid}`)
  try {
    await rm(partial, { recursive: true, force: true })
    makeFolder(partial)
    await writeFiles(partial, records)
    for (const name of await readdir(partial)) syncToDisk(join(partial, name))
    await moveInto(target, partial)
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined)
    throw writeFailure(error, dir)
  }
}

/** A full disk or a forbidden folder in the user's words; any other error as it came. */
export function writeFailure(error: unknown, dir: string): unknown {
  const options = { cause: error }
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new SettingError(
        'out',
        `${dir}: the disk is full; nothing was kept. Free some space or choose another {out}`,
        options,
      )
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
      return new SettingError('out', `${dir} cannot be written; choose another {out}`, options)
    default:
      return error
  }
}

/** Complains about a place that an archive cannot go to, or where it would take something else with it. */
export async function mustBeFree(dir: string, replace: boolean): Promise<void> {
  const there = await stat(dir).catch(() => undefined)
  if (!there) return
  if (!there.isDirectory()) throw new SettingError('out', `${dir} is a file; choose another {out}`)
  const names = await readdir(dir)
  if (names.length === 0) return
  if (!names.includes('site.json') || !names.includes('pages.jsonl.gz'))
    throw new SettingError('out', `${dir} has other files in it; choose another {out}`)
  if (!replace)
    throw new SettingError(
      'out',
      `${dir} already holds an archive; choose another {out}, or {replace} it`,
    )
  const stranger = names.find((name) => !OF_AN_ARCHIVE.test(name))
  if (stranger !== undefined)
    throw new SettingError(
      'out',
      `${dir} holds more than an archive (${stranger}), which {replace} would delete; choose another {out}`,
    )
}

const OF_AN_ARCHIVE =
  /^(site\.json|(pages|versions|blocks|links)\.jsonl\.gz|(queries|qrels|clicks)(-.+)?\.tsv\.gz)$/

async function moveInto(target: string, partial: string): Promise<void> {
  const there = await stat(target).catch(() => undefined)
  if (!there) return putInPlace(partial, target)
  const old = `${partial}.old`
  await rename(target, old)
  putInPlace(partial, target)
  await rm(old, { recursive: true, force: true })
}

async function writeFiles(dir: string, records: ArchiveRecords): Promise<void> {
  await writeLines(join(dir, 'pages.jsonl.gz'), pageLines(records.pages))
  await writeLines(join(dir, 'versions.jsonl.gz'), versionLines(records.versions))
  await writeLines(join(dir, 'blocks.jsonl.gz'), jsonLines(records.blocks))
  await writeLines(join(dir, 'links.jsonl.gz'), jsonLines(records.links))
  if (records.workload) await writeWorkload(dir, records.workload)
  await writeFile(join(dir, 'site.json'), `${JSON.stringify(records.site, null, 1)}\n`)
}

async function writeWorkload(dir: string, workload: Workload): Promise<void> {
  const { queries, judgments, clicks } = workload
  const write = (name: string, header: string[], rows: Iterable<(string | number)[]>) =>
    writeLines(join(dir, name), tabLines(header, rows))
  if (queries.length > 0)
    await write(
      'queries.tsv.gz',
      ['qid', 'text', 'weight'],
      queries.map(({ id, text, weight }) => [id, text, weight]),
    )
  if (judgments.length > 0)
    await write(
      'qrels.tsv.gz',
      ['qid', 'url', 'grade'],
      judgments.map(({ queryId, url, grade }) => [queryId, url, grade]),
    )
  if (clicks.length > 0)
    await write(
      'clicks.tsv.gz',
      ['url', 'clicks'],
      clicks.map((page) => [page.url, page.clicks]),
    )
}

/** Writes lines in batches of one size, so that bytes do not depend on how fast the disk is. */
async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  const source = Readable.from(batches(lines), { objectMode: true, highWaterMark: 2 })
  await pipeline(source, createGzip({ level: GZIP_LEVEL }), createWriteStream(path))
}

function* batches(lines: Iterable<string>): Generator<Buffer> {
  let batch = ''
  for (const line of lines) {
    batch += `${line}\n`
    if (batch.length < BATCH_CHARACTERS) continue
    yield Buffer.from(batch)
    batch = ''
  }
  if (batch !== '') yield Buffer.from(batch)
}

function* pageLines(pages: Iterable<PageRecord>): Generator<string> {
  let index = 0
  for (const { i, url, v } of pages) {
    mustCount('page', i, index++)
    yield JSON.stringify({ i, url, v })
  }
}

function* versionLines(versions: Iterable<VersionRecord>): Generator<string> {
  let index = 0
  for (const { i, p, h, c, t, n, b, l, rd } of versions) {
    mustCount('version', i, index++)
    yield JSON.stringify({ i, p, h, c, t, n, b, l, rd })
  }
}

function* jsonLines(records: Iterable<readonly unknown[]>): Generator<string> {
  for (const record of records) yield JSON.stringify(record)
}

function* tabLines(header: string[], rows: Iterable<(string | number)[]>): Generator<string> {
  yield header.join('\t')
  for (const row of rows) {
    const cells = row.map(String)
    const bad = cells.find((cell) => /[\t\n\r]/.test(cell))
    if (bad !== undefined)
      throw new Error(`no tab or line break may stand in ${JSON.stringify(bad)}`)
    yield cells.join('\t')
  }
}

function mustCount(what: string, i: number, index: number): void {
  if (i !== index) throw new Error(`${what} number ${index} came as ${i}`)
}
