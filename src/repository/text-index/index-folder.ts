import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedFileError } from '../damage.ts'
import { type KnownSeal, sealProblem } from './seal.ts'

/** The files of an index as they lie there; whatever is wrong with one is an error that names it. */
export class IndexFolder {
  readonly dir: string
  readonly path: string

  constructor(dir: string) {
    this.dir = dir
    this.path = join(dir, 'index')
  }

  /** A file's bytes; those that count, if it may be longer. */
  read(file: string, seal: KnownSeal, mayBeLonger = false): Buffer {
    const whole = this.readAny(file)
    const bytes = mayBeLonger ? whole.subarray(0, seal.bytes) : whole
    const problem = sealProblem(bytes, seal)
    if (problem !== undefined) throw this.damaged(file, problem)
    return bytes
  }

  readAny(file: string): Buffer {
    try {
      return readFileSync(join(this.path, file))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
      throw this.damaged(file, 'it is missing', { cause })
    }
  }

  damaged(file: string, problem: string, options?: ErrorOptions): DamagedFileError {
    return new DamagedFileError(join(this.path, file), problem, this.dir, options)
  }
}
