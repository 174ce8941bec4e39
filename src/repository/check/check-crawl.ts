import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { type Damage, DamagedFileError } from '../damage.ts'
import { isInUse } from '../state/look.ts'
import { rebuildIndex } from './rebuild-index.ts'

/** Where a crawl keeps its things. */
interface CrawlPlace {
  readonly dir: string
  /** Of the WARC files, which may lie elsewhere. */
  readonly warcDir: string
}

/** One part of a crawl's directory that can be checked, and mended by itself. */
export interface Part {
  readonly name: string
  /** Its files and folders, relative to the directory. */
  readonly paths: readonly string[]
  /** Whether it can be read while a crawl writes it. */
  readonly whileCrawling: boolean
  /** What is not as it was written. Writes nothing. */
  check(place: CrawlPlace): Promise<Damage[]>
  /** Mends what it can; gives what is lost. Nobody else may have the directory open. */
  repair(place: CrawlPlace): Promise<Damage[]>
}

/** What a check found in one part of a directory. */
export interface CheckedPart {
  readonly name: string
  readonly files: number
  readonly bytes: number
  readonly damages: readonly Damage[]
  /** Why it was not looked at, if it was not. */
  readonly skipped?: string
}

/** What a repair did with one part. */
interface RepairedPart {
  readonly name: string
  /** What nobody can bring back. */
  readonly lost: readonly Damage[]
}

/** Looks at all parts of a crawl's directory, as far as that is safe while a crawl runs. Writes nothing. */
export async function checkCrawl(
  place: CrawlPlace,
  parts: readonly Part[],
): Promise<CheckedPart[]> {
  const inUse = await isInUse(place.dir)
  const checked: CheckedPart[] = []
  for (const part of parts) {
    const { name, whileCrawling } = part
    const looked = { name, ...sizeOf(place.dir, part.paths) }
    if (inUse && !whileCrawling)
      checked.push({ ...looked, damages: [], skipped: 'a crawl is writing it' })
    else checked.push({ ...looked, ...(await checkPart(part, place, checked)) })
  }
  return checked
}

/** What cannot even be checked, as another part was not mended, is left as it is: the next check names it. */
async function needsRepair(part: Part, place: CrawlPlace): Promise<boolean> {
  try {
    return (await part.check(place)).length > 0
  } catch (error) {
    if (error instanceof DamagedFileError) return false
    throw error
  }
}

/** One part may need another to be checked, which may be damaged. */
async function checkPart(
  part: Part,
  place: CrawlPlace,
  before: readonly CheckedPart[],
): Promise<Pick<CheckedPart, 'damages' | 'skipped'>> {
  try {
    return { damages: await part.check(place) }
  } catch (error) {
    const isSaid = before.some(({ damages }) => damages.length > 0)
    if (!(error instanceof DamagedFileError) || !isSaid) throw error
    return { damages: [], skipped: 'other parts must be mended first' }
  }
}

/** Mends the parts of a directory that are damaged, one after the other; gives what is lost. */
export async function repairCrawl(
  place: CrawlPlace,
  parts: readonly Part[],
): Promise<RepairedPart[]> {
  await mustBeFree(place.dir)
  const repaired: RepairedPart[] = []
  // One part is mended with the help of those before it.
  for (const part of parts)
    if (await needsRepair(part, place))
      repaired.push({ name: part.name, lost: await part.repair(place) })
  return repaired
}

/** Makes the index anew from the pages kept; gives what cannot be read again. */
export async function reindexCrawl({ dir, warcDir }: CrawlPlace): Promise<Damage[]> {
  await mustBeFree(dir)
  return rebuildIndex(dir, warcDir, { readsAnew: true })
}

async function mustBeFree(dir: string): Promise<void> {
  if (await isInUse(dir))
    throw new SettingError(
      'dir',
      `${dir} is in use by another process: wait for it to end, or stop it, before {repair}`,
    )
}

function sizeOf(dir: string, paths: readonly string[]): { files: number; bytes: number } {
  const found = paths.map((path) => join(dir, path)).filter((path) => existsSync(path))
  const files = found.flatMap((path) => filesIn(path))
  const bytes = files.reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  return { files: files.length, bytes }
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
