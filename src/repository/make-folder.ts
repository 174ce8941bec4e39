import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those that it lies in, if they are not there. Node's own way (`recursive`) never ends where the system
 * says "not found" though the parent is there, as it does below /proc: it makes the parent again and again.
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || existsSync(parent)) throw error
    makeFolder(parent, mode)
    makeFolder(path, mode)
  }
}
