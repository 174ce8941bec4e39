import { existsSync, readdirSync } from 'node:fs'
import { type Damage, DamagedFileError } from '../damage.ts'
import { IndexFolder } from './index-folder.ts'
import {
  type ListedSegment,
  MANIFEST_FILE,
  type Manifest,
  PAGES_FILE,
  type PageBounds,
  readManifest,
  TERMS_FILE,
} from './manifest.ts'
import { PageFile } from './page-file.ts'
import type { KnownSeal } from './seal.ts'
import { readSegment } from './segment-file.ts'

const REMEDY = 'rebuild the index from stored pages'

/**
 * Reads all of a crawl's index and gives what is not as it was written. Files that the manifest does not name, and what
 * lies behind the part that it says counts, are left over from a kill: nobody reads them.
 */
export async function checkIndex(dir: string): Promise<Damage[]> {
  const damages: Damage[] = []
  const note = (file: string, problem: string) => {
    damages.push({ file: `index/${file}`, problem, remedy: REMEDY })
  }
  const folder = new IndexFolder(dir)
  const manifest = noteIfDamaged(MANIFEST_FILE, note, () => readManifest(dir))
  if (manifest) checkListed(manifest, folder, note)
  else if (damages.length === 0 && isBegun(folder.path)) note(MANIFEST_FILE, 'it is missing')
  const problem = pagesProblem(dir, manifest?.pages)
  if (problem !== undefined) note(PAGES_FILE, problem)
  return damages
}

type Note = (file: string, problem: string) => void

function checkListed(manifest: Manifest<KnownSeal>, folder: IndexFolder, note: Note): void {
  noteIfDamaged(TERMS_FILE, note, () => folder.read(TERMS_FILE, manifest.terms, true))
  for (const { segment, alive } of manifest.segments) {
    const places = noteIfDamaged(segment.file, note, () => placesOf(segment, folder))
    if (!alive) continue
    noteIfDamaged(alive.file, note, () => {
      const { length } = folder.read(alive.file, alive)
      if (places !== undefined && length !== places)
        throw folder.damaged(alive.file, 'it does not fit its segment')
    })
  }
}

function placesOf(segment: ListedSegment<KnownSeal>['segment'], folder: IndexFolder): number {
  const read = readSegment(folder.read(segment.file, segment))
  if (!read) throw folder.damaged(segment.file, 'it is no segment')
  return read.urls.length
}

/** Does some reading; if it comes upon damage, that is noted. */
function noteIfDamaged<T>(file: string, note: Note, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error
    note(file, error.problem)
    return undefined
  }
}

/** Whether there is anything of an index. */
function isBegun(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => /\.(bin|txt)$/.test(name))
}

/** Where the pages' words are damaged, if they are. */
function pagesProblem(dir: string, bounds: PageBounds | undefined): string | undefined {
  const file = new PageFile(dir)
  try {
    if (!file.exists) return bounds && bounds.bytes > 0 ? 'it is missing' : undefined
    const places: number[] = []
    for (const found of file.groups(bounds)) {
      // Where no bounds are known, the end may be what a kill left.
      const isWhole = found.kind === 'damage' ? !bounds : file.textsOf(found) !== undefined
      if (!isWhole) places.push(found.start)
    }
    if (places.length === 0) return undefined
    const shown = places.slice(0, 3).join(', ') + (places.length > 3 ? ' …' : '')
    return places.length === 1
      ? `the group at byte ${shown}`
      : `${places.length} groups, at bytes ${shown}`
  } finally {
    file.close()
  }
}
