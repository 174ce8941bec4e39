import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { UsageError } from '#parse/usage-error.ts'

/** DuckDB's own memory; the frontier's arrays live outside it. */
const SETTINGS = { memory_limit: '1GB', threads: '2' }

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

function explainOpenFailure(dir: string, path: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/lock/i.test(message)) {
    const holder = /PID (\d+)/.exec(message)?.[1]
    const who = holder ? `another process (PID ${holder})` : 'another process'
    return new DirectoryInUseError(
      `${dir} is in use by ${who}: wait for it to end, stop it, or choose another --dir`,
      { cause },
    )
  }
  const firstLine = message.split('\n')[0]
  return new UsageError(`cannot open ${path}: ${firstLine}; choose another --dir or repair it`, {
    cause,
  })
}

/** Somebody else is crawling into this directory. */
export class DirectoryInUseError extends UsageError {}
