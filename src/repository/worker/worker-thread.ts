/** The program of a worker that keeps its own WARC files: see `#fetch/thread/threaded-fetcher.ts`. */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadData } from '#fetch/thread/messages.ts'
import type { KeepingWorker } from './worker-program.ts'

const data: ThreadData = workerData
if (data.compileCache !== undefined) enableCompileCache(data.compileCache)
const { serveKeeping } = await import('./keeping-worker.ts')
serveKeeping(parentPort!, data, data.more as KeepingWorker)
