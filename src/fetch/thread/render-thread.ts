/** The program of the thread that renders: see `rendering-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { serveRenderThread } from './serve-render-thread.ts'

serveRenderThread(parentPort!, workerData)
