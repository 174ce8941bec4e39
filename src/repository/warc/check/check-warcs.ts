import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Damage } from '../../damage.ts'
import { readStretches, writeStretches } from '../damaged-stretches.ts'
import { INDEX_FILE, recoverWarcs } from '../recover-warcs.ts'
import { sortCdxj } from '../sort-cdxj.ts'
import { DEFAULT_PREFIX } from '../warc-files.ts'
import { inspectWarcs, type LostStretch } from './inspect-warcs.ts'

const SHOWN_URLS = 10

/**
 * Reads every record of a crawl's WARC files, with checksums and digests, and gives what is not as it was written: records,
 * answers that the tables or the index know and no file has, and lines of the index.
 */
export async function checkWarcs(dir: string, folder = join(dir, 'warc')): Promise<Damage[]> {
  const { stretches, indexProblem } = await inspectWarcs(dir, folder)
  const damages = stretches.map((stretch) => ({
    ...lossOf(stretch),
    remedy: 'list it as lost, so that it is passed over',
  }))
  if (indexProblem === undefined) return damages
  const remedy = 'make the index anew from the WARC files'
  return [...damages, { file: `warc/${INDEX_FILE}`, problem: indexProblem, remedy }]
}

/** A stretch as damage that cannot be mended; what it held is named as far as anybody knows. */
function lossOf({ file, from, to, reason, urls, after = 'an exchange' }: LostStretch): Damage {
  const shown = urls.slice(0, SHOWN_URLS).join(', ') + (urls.length > SHOWN_URLS ? ' …' : '')
  const exchanges = urls.length === 1 ? '1 exchange' : `${urls.length} exchanges`
  return {
    file: `warc/${file}`,
    problem: `bytes ${from} to ${to}: ${reason}`,
    lost: urls.length > 0 ? `${exchanges} (${shown})` : `what was sent to, or noted of, ${after}`,
  }
}

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
