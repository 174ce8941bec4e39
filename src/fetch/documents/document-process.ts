/** The program of the process that reads documents: see `isolated-reader.ts`. */
import { enableCompileCache } from 'node:module'
import { DocumentReader } from './document-reader.ts'
import type { Document } from './read-document.ts'

const [options, compileCache] = process.argv.slice(2)
if (compileCache !== '') enableCompileCache(compileCache)
const reader = new DocumentReader(JSON.parse(options))
// It ends with whoever began it, however that ends, and not with what a terminal sends to both.
process.on('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('message', async (document: Document) => {
  process.send!(await reader.read(document))
})
