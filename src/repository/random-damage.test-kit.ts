import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { cases } from '#numeric/cases.test-kit.ts'

/** How many damages a property test tries of each kind of file. */
export const CASES = cases(10)
/** And how long that may take. */
export const FOR_CASES = { timeout: 60_000 + 1_000 * CASES }

/** Something that happens to a file: bytes are overwritten, its end is cut off, or something is appended. */
export interface RandomDamage {
  readonly kind: 'overwrite' | 'cut' | 'append'
  /** Where, as a share of the file. */
  readonly place: number
  readonly bytes: Uint8Array
}

export const randomDamage: fc.Arbitrary<RandomDamage> = fc.record({
  kind: fc.constantFrom('overwrite', 'overwrite', 'overwrite', 'cut', 'append'),
  place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  // Mostly few bytes, down to a single one: those are the hardest to notice.
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 1 }),
    fc.uint8Array({ minLength: 1, maxLength: 20 }),
    fc.uint8Array({ minLength: 1, maxLength: 1000, size: 'max' }),
  ),
})

/** Damages a file; gives what was there, or undefined if it is as it was. */
export function damageFile(path: string, { kind, place, bytes }: RandomDamage): Buffer | undefined {
  const before = readFileSync(path)
  const at = Math.floor(place * before.length)
  if (kind === 'cut') truncateSync(path, Math.max(0, before.length - bytes.length))
  else {
    const after = Buffer.concat(
      kind === 'append'
        ? [before, bytes]
        : [before.subarray(0, at), bytes, before.subarray(at + bytes.length)],
    )
    writeFileSync(path, kind === 'append' ? after : after.subarray(0, before.length))
  }
  return readFileSync(path).equals(before) ? undefined : before
}
