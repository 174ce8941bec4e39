import { UsageError } from '#errors/usage-error.ts'
import { folderToLook } from '#library/open/folder-until-exit.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import type { QueryStore } from '#repository/queries/query-store.ts'
import * as repository from '#repository/state/open-queries.ts'
import { skippedLines } from './skipped-lines.ts'

/** Said wherever the queries were not asked by anybody. */
export const SYNTHETIC_NOTE =
  'synthetic workload: no query log was imported, so these queries were made from titles and anchors'

type Work<T> = (queries: QueryStore) => Promise<T>

/** Looks at the queries of a directory, with all that its search page has logged; nothing there is written. */
export async function lookAtQueries<T>(dir: string, work: Work<T>): Promise<T> {
  if (!holdsCrawl(dir))
    throw new UsageError(
      `there is nothing in ${dir}: start with forager crawl or forager queries import, or name another --dir`,
    )
  return repository.lookAtQueries(dir, Date.now() / 1000, folderToLook, work)
}

/** Writes queries into a directory. Damaged lines of the search page's log are noted. */
export function writeQueries<T>(
  dir: string,
  work: Work<T>,
  note: (line: string) => void = () => {},
): Promise<T> {
  return repository.writeQueries(dir, Date.now() / 1000, work, (report) => {
    for (const line of skippedLines(report)) note(line)
  })
}
