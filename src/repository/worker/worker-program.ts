import type { AppenderOptions } from '../warc/write/warc-appender.ts'

/** What a worker is given to keep WARC files of its own. */
export interface KeepingWorker {
  readonly warcDir: string
  readonly options: Pick<AppenderOptions, 'rolloverBytes' | 'info'>
}

/** Named apart from what it loads: whoever starts workers does not fetch. */
export const WORKER_PROGRAM: URL = new URL('./worker-thread.ts', import.meta.url)
