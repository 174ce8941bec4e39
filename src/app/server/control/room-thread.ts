/** The program of a thread that looks at a crawl for the control room: see `threaded-room.ts`. */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { RoomThreadData } from './threaded-room.ts'

const data: RoomThreadData = workerData
if (data.compileCache !== undefined) enableCompileCache(data.compileCache)
const { serveRoom } = await import('./serve-room.ts')
serveRoom(parentPort!, data)
