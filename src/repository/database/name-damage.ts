import type { DuckDBConnection } from '@duckdb/node-api'
import { DamagedFileError } from '../damage.ts'

/** How DuckDB speaks of files that are not as it wrote them. */
const DAMAGE =
  /^(?:Fatal|Internal|Serialization) Error: |corrupt|checksum|not a valid DuckDB|could not read enough bytes|replaying WAL|database has been invalidated/i

/** The complaint about damaged tables, if an error of DuckDB tells of some; else the error as it is. */
export function namedDamage(error: unknown, path: string, dir: string): unknown {
  if (!(error instanceof Error) || error instanceof DamagedFileError) return error
  if (!DAMAGE.test(error.message)) return error
  return new DamagedFileError(path, problemIn(error.message), dir, { cause: error })
}

/** DuckDB's own words, but for what it says to its programmers and the path, which is said already. */
function problemIn(message: string): string {
  const [line] = message.split('\n')
  return line.replace(/^(?:\w+ )?Error: /, '').replace(/ ?"[^"]*"/g, '')
}

/**
 * Makes a connection complain of damage in our words, whenever it is met: blocks are read, and their checksums
 * compared, only when somebody asks for what they hold.
 */
export function nameDamageOf(connection: DuckDBConnection, path: string, dir: string): void {
  const named = (error: unknown): never => {
    throw namedDamage(error, path, dir)
  }
  const { run, runAndReadAll, stream } = connection
  connection.run = (...args) => run.apply(connection, args).catch(named)
  connection.runAndReadAll = (...args) => runAndReadAll.apply(connection, args).catch(named)
  connection.stream = async (...args) => {
    const result = await stream.apply(connection, args).catch(named)
    const { fetchChunk } = result
    result.fetchChunk = () => fetchChunk.apply(result).catch(named)
    return result
  }
}
