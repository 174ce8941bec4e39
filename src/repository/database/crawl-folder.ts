import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { hasLog, LOG_FOLDER } from '../log/kept-log.ts'

const TABLES = 'state.duckdb'

/** What a crawl makes in its directory before the first fetch. */
const MADE_AT_FIRST = [TABLES, `${TABLES}.wal`, LOG_FOLDER, 'segments', 'index', 'warc']
/** Folders that may lie in a directory before its crawl; a disk of its own has the last. */
const WELCOME_FOLDERS = ['segments', 'index', 'warc', 'queries', 'lost+found']

/** Whether somebody has crawled into this directory before; the log is enough to make its tables again. */
export function holdsCrawl(dir: string): boolean {
  return existsSync(join(dir, TABLES)) || hasLog(dir)
}

/**
 * Complains about a folder that a new crawl would mix with something else. Files may lie there (a config,
 * seeds, a log), other people's folders not: that is somebody's home or project.
 */
export function mustSuitNewCrawl(dir: string): void {
  if (isArchive(dir))
    throw new SettingError(
      'dir',
      `${dir} holds a recorded web, which {archive} reads and a crawl must not be mixed with: choose another {dir}`,
    )
  for (const left of ['index', 'segments'])
    if (entriesOf(join(dir, left)).length > 0)
      throw new SettingError(
        'dir',
        `${join(dir, left)} is left over from something else, as there is no ${TABLES} beside it: move it away, or choose another {dir}`,
      )
  const stranger = entriesOf(dir).find(
    (entry) =>
      entry.isDirectory() && !entry.name.startsWith('.') && !WELCOME_FOLDERS.includes(entry.name),
  )
  if (stranger)
    throw new SettingError(
      'dir',
      `${dir} is a folder of other things (${stranger.name}/), not of a crawl: choose another {dir}, such as ${join(dir, 'forager-data')}`,
    )
}

/**
 * Notes what is in a directory that is to become a crawl's; gives the way to take back what has come since,
 * with the folders made on the way.
 */
export function noteNewCrawl(dir: string): () => void {
  const before = new Set(entriesOf(dir).map(({ name }) => name))
  const missing = missingFolders(resolve(dir))
  return () => {
    for (const name of MADE_AT_FIRST)
      if (!before.has(name)) rmSync(join(dir, name), { recursive: true, force: true })
    for (const folder of missing)
      if (existsSync(folder) && entriesOf(folder).length === 0) rmdirSync(folder)
  }
}

/** The folder itself and those above it that do not exist, innermost first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))]
}

function isArchive(dir: string): boolean {
  try {
    return String(JSON.parse(readFileSync(join(dir, 'site.json'), 'utf8')).format).startsWith(
      'evolution/',
    )
  } catch {
    return false // mostly because there is none
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // not there, or not to be read: opening will say so
  }
}
