import { KeptLog, type LogHead } from '../log/kept-log.ts'
import { PageTexts } from '../text-index/page-texts.ts'
import { CrawlStore } from './crawl-store.ts'
import { openDatabase } from './open-database.ts'
import { mustBeWhole } from './read-log.ts'
import { migrate } from './schema.ts'
import { type Following, TablesOfLog } from './take-up-log.ts'

/** A crawl that is gone through again, entry by entry of its log, in tables of its own. */
export interface ReplayedCrawl extends AsyncDisposable {
  /** As it was after the latest entry that was taken. */
  readonly store: CrawlStore
  /** The first lines of the log's changes, with their numbers. */
  heads(): AsyncGenerator<{ readonly number: number; readonly head: LogHead }>
  /** Goes on to that entry, and takes it too. */
  takeThrough(number: number, following: Required<Pick<Following, 'before'>>): Promise<void>
}

/** Begins to go through a directory's log again; tables are made in an empty folder, nothing else is written. */
export async function replayCrawl(
  dir: string,
  folder: string,
  known: NonNullable<Following['known']>,
): Promise<ReplayedCrawl> {
  const log = new KeptLog(dir)
  mustBeWhole(log, dir)
  const database = await openDatabase(folder)
  const texts = new PageTexts(dir)
  await migrate(database.connection, folder)
  const store = CrawlStore.over(dir, database)
  let before: Required<Following>['before'] = async () => {}
  const tables = new TablesOfLog(database.connection, {
    known,
    textOf: (url, at) => texts.textOf(url, at),
    before: (entry) => before(entry),
  })
  let taken = 0
  return {
    store,
    async *heads() {
      for (const number of log.numbers().entries) yield { number, head: await headOf(log, number) }
    },
    async takeThrough(until, following) {
      before = following.before
      for (const number of log.numbers().entries)
        if (number > taken && number <= until) {
          await tables.take(log.read(number))
          taken = number
        }
    },
    async [Symbol.asyncDispose]() {
      texts.close()
      store.close()
    },
  }
}

async function headOf(log: KeptLog, number: number): Promise<LogHead> {
  for await (const head of log.read(number)) return head as LogHead
  throw log.damaged(log.pathOf(number), 'it is empty')
}
