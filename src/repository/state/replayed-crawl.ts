import type { Entry } from '#learn/entries/entry.ts'
import type { Knowledge } from '#learn/knowledge.ts'
import { openDatabase } from '../database/open-database.ts'
import { KeptLog, type LogHead } from '../log/kept-log.ts'
import { migrate } from '../tables/schema.ts'
import { PageTexts } from '../text-index/page-texts.ts'
import { CrawlStore } from './crawl-store.ts'
import { mustBeWhole, TablesOfLog } from './take-up-log.ts'

/** One change of the log, by its first line. */
export interface LoggedChange {
  readonly number: number
  readonly head: LogHead
}

/** A crawl that is gone through again, change by change of its log, in tables of its own. */
export interface ReplayedCrawl extends AsyncDisposable {
  /** As it was after the latest change that was taken. */
  readonly store: CrawlStore
  changes(): AsyncGenerator<LoggedChange>
  /** Takes the next change; `before` is told of each of its entries. */
  take(number: number, before: (entry: Entry) => Promise<void>): Promise<void>
}

/** Begins to go through a directory's log again; tables are made in an empty folder, nothing else is written. */
export async function replayCrawl(
  dir: string,
  folder: string,
  known: Knowledge,
): Promise<ReplayedCrawl> {
  const log = new KeptLog(dir)
  mustBeWhole(log, dir)
  const database = await openDatabase(folder)
  const texts = new PageTexts(dir)
  await migrate(database.connection, folder)
  let before: (entry: Entry) => Promise<void> = async () => {}
  const tables = new TablesOfLog(database.connection, {
    known,
    textOf: (url, at) => texts.textOf(url, at),
    before: (entry) => before(entry),
  })
  const store = CrawlStore.over(dir, database)
  return {
    store,
    async *changes() {
      for (const number of log.numbers().entries) yield { number, head: await log.head(number) }
    },
    async take(number, tellOf) {
      before = tellOf
      await tables.take(log.read(number))
    },
    async [Symbol.asyncDispose]() {
      texts.close()
      store.close()
    },
  }
}
