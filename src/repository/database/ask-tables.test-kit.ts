import { openDatabase } from './open-database.ts'

/** Runs SQL on the tables of a directory that nobody has open; gives the rows. */
export async function askTables(dir: string, sql: string): Promise<Record<string, unknown>[]> {
  const { connection, close } = await openDatabase(dir)
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJS()
  } finally {
    close()
  }
}
