import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { scopeTest } from '#frontier/scope.ts'
import { ANYWHERE, storedRules, storedSeeds } from '#repository/log/stored-rules.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { DEFAULT_PREFIX, warcFilesIn } from '#repository/warc/warc-files.ts'
import type { Workload } from '#workload/workload.ts'
import { folderForCopy } from '../open/folder-until-exit.ts'
import { lookAtQueries } from '../queries/query-tables.ts'

/** What a crawl recorded, for the lab. */
interface RecordedCrawl {
  readonly warcFiles: readonly string[]
  readonly seeds: readonly string[]
  /** Left out if nobody asked anything. */
  readonly workload?: Workload
  /** Whether a URL belongs to the crawl, however deep it lies. */
  readonly isInScope: (url: string) => boolean
}

/** Reads what a crawl directory says of itself, and writes nothing there. */
export async function recordedCrawl(dir: string): Promise<RecordedCrawl> {
  const { synthetic, ...workload } = await lookAtQueries(dir, (queries) =>
    queries.workload(Date.now() / 1000),
  )
  const store = await CrawlStore.openToLook(dir, folderForCopy)
  const settings = await store.settings()
  store.close()
  const warcDir = join(dir, 'warc')
  const warcFiles = warcFilesIn(warcDir, DEFAULT_PREFIX).map(({ name }) => join(warcDir, name))
  if (warcFiles.length === 0)
    throw new SettingError(
      'dir',
      existsSync(warcDir)
        ? `there is no WARC file in ${warcDir}`
        : `${dir} has no folder warc: only a crawl of the live web keeps what it fetched`,
    )
  const seeds = storedSeeds(settings)
  const leftAlone = scopeTest(storedRules(settings) ?? ANYWHERE, seeds)
  return {
    warcFiles,
    seeds,
    workload: synthetic ? undefined : workload,
    isInScope: (url) => leftAlone(url, 0) === undefined,
  }
}
