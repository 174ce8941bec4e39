/** How many values have each first digit: the upper 16 bits of a double, whose order is that of its bits. Sparse. */
export type DigitCounts = readonly (readonly [digit: number, count: number])[]

const DIGITS = 1 << 16

/** Counts values of at least 0 by their first digit, largest first. */
export function digitCounts(values: Float64Array): DigitCounts {
  const counts = new Uint32Array(DIGITS)
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
  for (let i = 1; i < words.length; i += 2) counts[words[i] >>> 16]++
  return sparse(counts)
}

export function addedDigits(all: readonly DigitCounts[]): DigitCounts {
  const sum = new Float64Array(DIGITS)
  for (const one of all) for (const [digit, count] of one) sum[digit] += count
  return sparse(sum)
}

/** Where the nth largest value is: its first digit, and how many of that digit come before it; undefined if there are fewer. */
export function digitOfNth(
  counts: DigitCounts,
  nth: number,
): { readonly from: number; readonly below: number; readonly before: number } | undefined {
  let left = nth
  for (const [digit, count] of counts) {
    if (left <= count) return { from: valueOf(digit), below: valueOf(digit + 1), before: left - 1 }
    left -= count
  }
  return undefined
}

/** The least value with that first digit. */
function valueOf(digit: number): number {
  const words = new Uint32Array(2)
  words[1] = digit << 16
  return new Float64Array(words.buffer)[0]
}

function sparse(counts: ArrayLike<number>): DigitCounts {
  const some: [number, number][] = []
  for (let digit = counts.length - 1; digit >= 0; digit--)
    if (counts[digit] > 0) some.push([digit, counts[digit]])
  return some
}
