import { DuckDBInstance } from '@duckdb/node-api'
import { SettingError } from '#errors/setting-error.ts'
import type { Entry } from '#learn/entries/entry.ts'
import { KeptLog, type LogHead } from '../log/kept-log.ts'
import { entriesOf } from '../log/stored-entry.ts'
import { loadQueries } from '../queries/load-workload.ts'
import { migrate } from '../tables/schema.ts'
import { PageTexts } from '../text-index/page-texts.ts'
import { takeQueryRows } from './take-up-log.ts'

/** The whole log of a directory, entry by entry, with what its entries leave out: words of pages, and queries. */
export async function* readLog(dir: string, until = Infinity): AsyncGenerator<Entry> {
  const log = new KeptLog(dir)
  mustBeWhole(log, dir)
  const tables = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await tables.connect()
  const texts = new PageTexts(dir)
  try {
    await migrate(connection, dir)
    const settings = new Map<string, string>()
    const leftOut = {
      queries: (at: number) => loadQueries(connection, at),
      textOf: (url: number, at: number) => texts.textOf(url, at),
    }
    for (const number of log.numbers().entries) {
      if (number > until) return
      const lines = log.read(number)
      const head = (await lines.next()).value as LogHead
      if (head.kind === 'queries') await takeQueryRows(connection, lines)
      else {
        const items = await Array.fromAsync(lines)
        if (head.kind === 'settings')
          for (const [key, value] of Object.entries(head.values)) settings.set(key, value)
        yield* entriesOf(head, items, settings, leftOut)
      }
    }
  } finally {
    texts.close()
    connection.closeSync()
    tables.closeSync()
  }
}

/** A log that begins with tables tells nothing of what came before. */
export function mustBeWhole(log: KeptLog, dir: string): void {
  if (log.numbers().base !== undefined)
    throw new SettingError(
      'dir',
      `the log in ${dir} was begun when the crawl had long begun, so that its past cannot be gone through again`,
    )
}
