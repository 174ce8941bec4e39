import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Damage } from '../../damage.ts'
import { readStretches, writeStretches } from '../damaged-stretches.ts'
import { INDEX_FILE, recoverWarcs } from '../recover-warcs.ts'
import { sortCdxj } from '../sort-cdxj.ts'
import { DEFAULT_PREFIX } from '../warc-files.ts'
import { lossOf } from './check-warcs.ts'
import { inspectWarcs } from './inspect-warcs.ts'

/**
 * Settles what is damaged in a crawl's WARC files: it is listed (`damaged-stretches.ts`), and the index is made anew.
 * The files stay as they are, so that all other records keep their places. Gives what is lost.
 */
export async function repairWarcs(dir: string, folder = join(dir, 'warc')): Promise<Damage[]> {
  const { stretches, indexProblem } = await inspectWarcs(dir, folder)
  if (stretches.length > 0) writeStretches(folder, [...readStretches(folder), ...stretches])
  if (stretches.length > 0 || indexProblem !== undefined) {
    const index = join(folder, INDEX_FILE)
    rmSync(index, { force: true })
    await recoverWarcs(folder, DEFAULT_PREFIX)
    if (existsSync(index)) await sortCdxj(index)
  }
  return stretches.map(lossOf)
}
