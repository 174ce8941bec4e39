import { SettingError } from '#errors/setting-error.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import type { QueryStore } from '#repository/state/open-queries.ts'
import * as repository from '#repository/state/open-queries.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { folderForCopy } from '../open/folder-until-exit.ts'

type Work<T> = (queries: QueryStore) => Promise<T>

/** Looks at the queries of a directory, with all that its search page has logged; nothing there is written. */
export async function lookAtQueries<T>(dir: string, work: Work<T>): Promise<T> {
  if (!holdsCrawl(dir))
    throw new SettingError(
      'dir',
      `there is nothing in ${dir}: begin a crawl there, import queries, or name another {dir}`,
      { remedy: { kind: 'begin a crawl', dir } },
    )
  return repository.lookAtQueries(dir, Date.now() / 1000, folderForCopy, work)
}

/** Writes queries into a directory. Damaged lines of the search page's log are noted. */
export function writeQueries<T>(
  dir: string,
  work: Work<T>,
  note: NoteListener = () => {},
): Promise<T> {
  return repository.writeQueries(dir, Date.now() / 1000, work, (report) =>
    note({ kind: 'lines skipped', report }),
  )
}
