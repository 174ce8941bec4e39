import type { MessagePort } from 'node:worker_threads'
import type { ThreadData } from '#fetch/thread/messages.ts'
import { serveSender } from '#fetch/thread/serve-sender.ts'
import { DEFAULT_PREFIX, workerPrefix } from '../warc/warc-files.ts'
import { WarcAppender } from '../warc/write/warc-appender.ts'
import { keepInWarc, keepRobotsInWarc } from './keep-in-warc.ts'
import type { KeepingWorker } from './worker-program.ts'

/** Fetches for another thread, and writes what comes into files of its own in a folder that is whole. */
export function serveKeeping(
  port: MessagePort,
  data: ThreadData,
  { warcDir, options }: KeepingWorker,
): void {
  const warc = new WarcAppender(warcDir, {
    ...options,
    prefix: workerPrefix(DEFAULT_PREFIX, data.own),
  })
  serveSender(port, data, {
    keep: (outcome, keptWith) => keepInWarc(outcome, warc, keptWith),
    keepRobots: (file) => keepRobotsInWarc(file, warc),
  })
}
