import { SettingError } from '#errors/setting-error.ts'
import { segmentFiles } from './segment.ts'
import { PATIENT_READS, type SegmentReader } from './segment-reader.ts'

interface Patience {
  /** Asks until there is an answer; undefined if there is no time left. */
  ask<T>(what: () => Promise<T>): Promise<T | undefined>
  isOver(): boolean
  pause(): Promise<void>
}

/**
 * URLs of which something came before a planner began, and is not read. A segment that is not in the store is waited for:
 * should it come later, its pages would be fetched twice.
 */
export async function waitingUrls(
  reader: SegmentReader,
  { ask, isOver, pause }: Patience,
): Promise<ReadonlySet<number>> {
  const urls = new Set<number>()
  const all = (await ask(() => reader.waiting())) ?? []
  let missing = all
  for (let tries = 0; missing.length > 0 && tries < PATIENT_READS && !isOver(); tries++) {
    if (tries > 0) await pause()
    const asked = missing
    missing = []
    for (const stored of asked) {
      const found = await ask(() => reader.urlsIn(stored))
      if (!found) missing = [...missing, stored]
      for (const url of found ?? []) urls.add(url)
    }
  }
  if (missing.length > 0 && missing.length === all.length) throw wrongStore(missing[0].name)
  for (const stored of missing) reader.giveUp(stored)
  return urls
}

/** Nothing of what workers reported is there: a folder that is not mounted looks like that. */
function wrongStore(name: string): SettingError {
  const file = segmentFiles(name).lines
  return new SettingError(
    'store',
    `{store} has nothing of what workers put there and this crawl has not read, as ${file}: see that it is the place that workers write to. If it is lost for good, put an empty file of that name there`,
  )
}
