import { statSync } from 'node:fs'

/** What tells whether a file has changed; '' while there is none. */
export function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.size} ${stat.mtimeMs} ${stat.ino}` : ''
}

/** A file that may change: tells each change once. */
export class ChangingFile {
  readonly path: string
  #seen: string

  /** `isNew`: what lies there already counts as a change. */
  constructor(path: string, isNew: boolean) {
    this.path = path
    this.#seen = isNew ? '' : stampOf(path)
  }

  /** Whether it has changed since `hasChanged` said so. */
  isOtherThanSeen(): boolean {
    return stampOf(this.path) !== this.#seen
  }

  /** Whether it has changed since this was last asked. */
  hasChanged(): boolean {
    if (!this.isOtherThanSeen()) return false
    this.#seen = stampOf(this.path)
    return this.#seen !== ''
  }
}
