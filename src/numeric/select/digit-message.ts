import type { DigitCounts } from './digit-counts.ts'

/**
 * Counts as bytes, for another process: for each digit its distance from the one before, doubled, plus 1 if its count
 * is more than 1 and follows. In base 128, the lower digits first. Most of many digits take one byte.
 */
export function encodeCounts({ digits, counts }: DigitCounts): Uint8Array {
  const bytes: number[] = []
  let before = -1
  for (let i = 0; i < digits.length; i++) {
    const isMore = counts[i] > 1
    push(bytes, 2 * (digits[i] - before - 1) + (isMore ? 1 : 0))
    if (isMore) push(bytes, counts[i])
    before = digits[i]
  }
  return Uint8Array.from(bytes)
}

/** The counts that `encodeCounts` was given. */
export function decodeCounts(bytes: Uint8Array): DigitCounts {
  const [digits, counts]: [number[], number[]] = [[], []]
  let [at, before] = [0, -1]
  const next = () => {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = bytes[at++]
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }
  while (at < bytes.length) {
    const token = next()
    before += 1 + Math.floor(token / 2)
    digits.push(before)
    counts.push(token % 2 === 1 ? next() : 1)
  }
  return { digits: Uint16Array.from(digits), counts: Float64Array.from(counts) }
}

function push(bytes: number[], value: number): void {
  let left = value
  for (; left > 127; left = Math.floor(left / 128)) bytes.push(128 + (left % 128))
  bytes.push(left)
}
