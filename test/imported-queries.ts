import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { readWorkload } from '#archive/format/read-workload.ts'
import { forager } from './forager-process.ts'

/** Imports what searchers of a recorded web ask into a directory of its own. */
export async function importQueries(archive: string, dir: string): Promise<void> {
  const { queries } = await readWorkload(archive)
  const lines = queries.map(({ text, weight }) => `${text},${weight}`)
  const log = `${dir}.csv`
  writeFileSync(log, `query,count\n${lines.join('\n')}\n`)
  const flags = ['--format', 'csv', '--dir', dir, '--no-config']
  const { code, stderr } = await forager('queries', 'import', log, ...flags)
  expect(code, stderr).toBe(0)
}
