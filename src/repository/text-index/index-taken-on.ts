import { copyFileSync, existsSync, linkSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { IndexStore } from './index-store.ts'

/** Files that are written once and never changed. */
const UNCHANGED = /^(segment|alive)-\d+\.bin$/

/**
 * Where an index goes on in another folder than the one it was left in, which stays as it is. What never changes is there
 * under a second name, where that can be; so it costs what is new.
 */
export function indexTakenOn(before: string | undefined, into: string): IndexStore {
  const from = before && join(before, 'index')
  if (from && existsSync(from)) {
    makeFolder(join(into, 'index'))
    for (const name of readdirSync(from)) {
      const [old, taken] = [join(from, name), join(into, 'index', name)]
      if (!UNCHANGED.test(name) || !isLinked(old, taken)) copyFileSync(old, taken)
    }
  }
  return new IndexStore(into)
}

function isLinked(old: string, taken: string): boolean {
  try {
    linkSync(old, taken)
    return true
  } catch {
    return false // not every file system can
  }
}
