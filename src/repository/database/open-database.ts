import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { SettingError } from '#errors/setting-error.ts'
import { DamagedFileError } from '../damage.ts'
import { makeFolder } from '../make-folder.ts'
import { holdsCrawl, mustSuitNewCrawl, noteNewCrawl } from './crawl-folder.ts'
import { nameDamageOf, namedDamage } from './name-damage.ts'

/** DuckDB's own memory; the frontier's arrays live outside it. */
const MEMORY_LIMIT = '512MB'
/** A name that DuckDB takes for an address must not make it load a program from the network. */
const SETTINGS = {
  memory_limit: MEMORY_LIMIT,
  threads: '2',
  // What large rows took is given back to the system soon: it would else stay until the process ends.
  allocator_flush_threshold: '8MB',
  // Each column of a table that is appended to takes a block of memory, and there are 180: 47 MB by blocks of 256 KiB. Blocks of 16 or 32 KiB make files 2.6 times as large.
  default_block_size: '65536',
  autoinstall_known_extensions: 'false',
}

/** Tables of a directory. */
export interface OpenDatabase {
  readonly connection: DuckDBConnection
  /** A further connection, with transactions of its own; whoever asked for it closes it. */
  connect(): Promise<DuckDBConnection>
  close(): void
}

/** Tables that can be written. */
export interface WritableDatabase extends OpenDatabase {
  /** Closes them; where there was no crawl before, what was made of the directory is taken away again. */
  discard(): void
}

/**
 * Opens `state.duckdb` in a directory, made if need be; DuckDB's lock keeps other processes out. Complaints
 * about damage name the directory that a copy was made from.
 */
export async function openDatabase(dir: string, copiedFrom = dir): Promise<WritableDatabase> {
  const isNew = !holdsCrawl(dir)
  if (isNew) mustSuitNewCrawl(dir)
  const takeBack = isNew ? noteNewCrawl(dir) : () => {}
  const opened = await open(dir, 'write', copiedFrom).catch((error: unknown) => {
    // Who came first may have begun one there meanwhile.
    if (!(error instanceof DirectoryInUseError)) takeBack()
    throw error
  })
  const discard = () => {
    opened.close()
    takeBack()
  }
  return { ...opened, discard }
}

/** Opens `state.duckdb` where it lies and writes nothing; others may read it too, and nobody write it. */
export function openDatabaseToRead(dir: string): Promise<OpenDatabase> {
  return open(dir, 'read', dir)
}

type Access = 'read' | 'write'

async function open(dir: string, access: Access, shownDir: string): Promise<OpenDatabase> {
  const path = join(dir, 'state.duckdb')
  const shownPath = join(shownDir, 'state.duckdb')
  if (resolve(dir).includes('?'))
    throw new SettingError(
      'dir',
      `${resolve(dir)}: DuckDB opens no file by a path with ?; choose another {dir}`,
    )
  try {
    if (access === 'write') makeFolder(dir)
    // A whole path, as DuckDB has its own ideas of names like ~ and md:x.
    const instance = await DuckDBInstance.create(resolve(path), {
      ...SETTINGS,
      // What does not fit in memory goes beside the file, unless that must stay as it is.
      ...(access === 'read' && {
        access_mode: 'READ_ONLY',
        temp_directory: join(tmpdir(), `forager-duckdb-${process.pid}`),
      }),
    })
    const connection = await instance.connect()
    nameDamageOf(connection, shownPath, shownDir)
    return {
      connection,
      connect: () => instance.connect(),
      close: () => {
        connection.closeSync()
        instance.closeSync()
      },
    }
  } catch (cause) {
    throw explainOpenFailure(shownDir, shownPath, cause, access)
  }
}

/**
 * Does `work` with little memory for DuckDB, which would else keep every page of the file that is
 * read, and makes it give those back.
 */
export async function sparingly<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  const limit = (size: string) => connection.run(`SET memory_limit = '${size}'`)
  await limit('128MB').catch(() => {}) // a large log to take up needs more just now
  try {
    return await work()
  } finally {
    await limit('64MB').catch(() => {})
    await limit(MEMORY_LIMIT)
  }
}

/**
 * Gives the system what the whole process has freed and not used again, holes between what is in use too. DuckDB does so
 * whenever its limit is set, and nothing else that Node can reach does.
 */
export async function giveBackMemory(connection: DuckDBConnection): Promise<void> {
  await connection.run(`SET memory_limit = '${MEMORY_LIMIT}'`)
}

/** Why a directory's tables cannot be opened, and what to change about it. */
export function explainOpenFailure(
  dir: string,
  path: string,
  cause: unknown,
  access: Access = 'write',
): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  // Not just any lock: paths may have the word, and DuckDB names the block that is damaged.
  if (/could not set lock|used by another process/i.test(message)) {
    const holder = /PID (\d+)/.exec(message)?.[1]
    const who = holder ? `another process (PID ${holder})` : 'another process'
    return new DirectoryInUseError(
      'dir',
      `${dir} is in use by ${who}: wait for it to end, stop it, or choose another {dir}`,
      { cause },
    )
  }
  if (['EEXIST', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? ''))
    return new SettingError('dir', `${dir} is a file, or lies in one: choose another {dir}`, {
      cause,
    })
  if (/permission denied|read-only/i.test(message))
    return new SettingError(
      'dir',
      `no permission to ${access} ${path}: make it ${access === 'read' ? 'read' : 'writ'}able, or choose another {dir}`,
      { cause },
    )
  const damage = namedDamage(cause, path, dir)
  if (damage instanceof DamagedFileError) return damage
  const firstLine = message.split('\n')[0]
  return new SettingError('dir', `cannot open ${path}: ${firstLine}; choose another {dir}`, {
    cause,
  })
}

/** Somebody else is crawling into this directory. */
export class DirectoryInUseError extends SettingError {}
