/** Fills the marked tables of docs/results from stored results: `node scripts/write-result-tables.ts`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withResultTables } from './result-tables.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'results')
for (const file of globSync('*.md', { cwd: folder })) {
  const path = join(folder, file)
  const before = readFileSync(path, 'utf8')
  const after = withResultTables(before)
  if (after !== before) writeFileSync(path, after)
}
