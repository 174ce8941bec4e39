import { SettingError } from '#errors/setting-error.ts'

/** Something in a crawl's directory that is not as it was written. */
export interface Damage {
  /** Relative to the directory, as `index/segment-3.bin`. */
  readonly file: string
  /** What is wrong and where, as "its checksum does not match". */
  readonly problem: string
  /** What a repair does, as "rebuild the index from stored pages"; absent if nothing can be done. */
  readonly remedy?: string
  /** What nobody can bring back, as "2 exchanges (https://a.org/, https://b.org/)"; absent if nothing is. */
  readonly lost?: string
}

/** A file was found damaged while it was read; a repair may mend it. */
export class DamagedFileError extends SettingError {
  /** What is wrong with the file, as in `Damage`. */
  readonly problem: string

  constructor(path: string, problem: string, dir: string, options?: ErrorOptions) {
    super('dir', `${path} is damaged (${problem})`, { ...options, remedy: { kind: 'repair', dir } })
    this.problem = problem
  }
}
