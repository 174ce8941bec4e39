import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { DamagedFileError } from '../damage.ts'

/** Size and checksum (CRC-32) of a file, or of its beginning. */
export interface Seal {
  readonly bytes: number
  readonly crc: number
}

/** What an index of the first edition knows of a file: perhaps its size, never a checksum. */
export type KnownSeal = Partial<Seal>

/** The seal of what is written in these parts, behind what an earlier seal covers. */
export function sealOf(
  parts: readonly NodeJS.ArrayBufferView[],
  before: Seal = { bytes: 0, crc: 0 },
): Seal {
  return parts.reduce<Seal>(
    ({ bytes, crc }, part) => ({
      bytes: bytes + part.byteLength,
      crc: crc32(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), crc),
    }),
    before,
  )
}

/** What keeps bytes from being those that were sealed, if anything does. */
export function sealProblem(found: Uint8Array, { bytes, crc }: KnownSeal): string | undefined {
  if (bytes !== undefined && found.length !== bytes)
    return `it has ${found.length} bytes instead of ${bytes}`
  if (crc !== undefined && crc32(found) !== crc) return 'its checksum does not match'
  return undefined
}

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
