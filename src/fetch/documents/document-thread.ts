/** The program of the thread that reads documents: see `document-reader.ts`. */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { DocumentThreadData } from './document-reader.ts'
import { guardMemory } from './memory-guard.ts'

const { mostBytes, compileCache }: DocumentThreadData = workerData
if (compileCache !== undefined) enableCompileCache(compileCache)
guardMemory(mostBytes)
const { readDocument } = await import('./read-document.ts')
parentPort!.on('message', async (document) => {
  parentPort!.postMessage(await readDocument(document))
})
