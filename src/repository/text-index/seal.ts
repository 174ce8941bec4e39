import { crc32 } from 'node:zlib'

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
