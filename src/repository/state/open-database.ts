import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { UsageError } from '#parse/usage-error.ts'

/** DuckDB's own memory; the frontier's arrays live outside it. */
const MEMORY_LIMIT = '512MB'
const SETTINGS = { memory_limit: MEMORY_LIMIT, threads: '2' }

/** Opens `state.duckdb` in a directory, made if need be; DuckDB's lock keeps other processes out. */
export async function openDatabase(
  dir: string,
): Promise<{ connection: DuckDBConnection; close: () => void }> {
  const path = join(dir, 'state.duckdb')
  try {
    mkdirSync(dir, { recursive: true })
    const instance = await DuckDBInstance.create(path, SETTINGS)
    const connection = await instance.connect()
    return {
      connection,
      close: () => {
        connection.closeSync()
        instance.closeSync()
      },
    }
  } catch (cause) {
    throw explainOpenFailure(dir, path, cause)
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

/** Why a directory's tables cannot be opened, and what to change about it. */
export function explainOpenFailure(dir: string, path: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/lock/i.test(message)) {
    const holder = /PID (\d+)/.exec(message)?.[1]
    const who = holder ? `another process (PID ${holder})` : 'another process'
    return new DirectoryInUseError(
      `${dir} is in use by ${who}: wait for it to end, stop it, or choose another --dir`,
      { cause },
    )
  }
  if (['EEXIST', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? ''))
    return new UsageError(`${dir} is a file, or lies in one: choose another --dir`, { cause })
  if (/permission denied|read-only/i.test(message))
    return new UsageError(
      `no permission to write ${path}: make it writable, or choose another --dir`,
      { cause },
    )
  const firstLine = message.split('\n')[0]
  return new UsageError(`cannot open ${path}: ${firstLine}; choose another --dir or repair it`, {
    cause,
  })
}

/** Somebody else is crawling into this directory. */
export class DirectoryInUseError extends UsageError {}
