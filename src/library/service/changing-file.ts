import { stampOf } from '#repository/file-stamp.ts'

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
