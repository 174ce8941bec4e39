/** The program of the process that reads documents: see `reading-process.ts`. */
import { enableCompileCache } from 'node:module'
import { guardMemory } from './memory-guard.ts'
import type { Document } from './read-document.ts'

const [mostBytes, compileCache] = process.argv.slice(2)
if (compileCache !== '') enableCompileCache(compileCache)
// It ends with whoever began it, however that ends, and not with what a terminal sends to both.
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
guardMemory(Number(mostBytes))
const { readDocument } = await import('./read-document.ts')
process.on('message', async (document: Document) => {
  process.send!(await readDocument(document))
})
process.send!('ready')
