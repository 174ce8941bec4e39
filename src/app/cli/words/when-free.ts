import { setTimeout as sleep } from 'node:timers/promises'
import { runningCrawl } from '#library/run/progress-file.ts'
import { DirectoryInUseError } from '#repository/database/open-database.ts'
import type { Output } from '../terminal/output.ts'

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
  output: Pick<Output, 'note'>,
): Promise<Opened> {
  for (let triesLeft = TRIES; ; triesLeft--) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof DirectoryInUseError) || runningCrawl(dir) || triesLeft <= 1)
        throw error
      if (triesLeft === TRIES) output.note(`waiting for ${dir}, which somebody else has open`)
    }
    await sleep(RETRY_MS)
  }
}
