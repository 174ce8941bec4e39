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
    // A link to a disk that is not there is in the way, and "not found" says more about it than "is there already".
    if (code === 'EEXIST' ? statSync(path).isDirectory() : isFolder(path)) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || existsSync(parent)) throw error
    makeFolder(parent, mode)
    makeFolder(path, mode)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
