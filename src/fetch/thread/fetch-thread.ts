/** The program of the thread that fetches: see `threaded-fetcher.ts`. */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadData } from './messages.ts'

const data: ThreadData = workerData
if (data.compileCache !== undefined) enableCompileCache(data.compileCache)
const { serveSender } = await import('./serve-sender.ts')
serveSender(parentPort!, data)
