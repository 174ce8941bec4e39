import { setTimeout as sleep } from 'node:timers/promises'
import { DirectoryInUseError } from '#repository/database/open-database.ts'
import { runningCrawl } from '../control/progress-file.ts'
import type { NoteListener } from './crawl-note.ts'

/** Five minutes in all: who plans over millions of pages looks that long. */
const TRIES = 1_000
const RETRY_MS = 300

/**
 * Opens a directory to write, once those are gone who hold it for a moment: somebody who looks, a crawl that
 * ends. A crawl that goes on is not waited for.
 */
export async function whenFree<Opened>(
  dir: string,
  open: () => Promise<Opened>,
  note: NoteListener = () => {},
): Promise<Opened> {
  for (let triesLeft = TRIES; ; triesLeft--) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof DirectoryInUseError) || runningCrawl(dir) || triesLeft <= 1)
        throw error
      if (triesLeft === TRIES) note({ kind: 'waiting for directory', dir })
    }
    await sleep(RETRY_MS)
  }
}
