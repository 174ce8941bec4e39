import { type DigitCounts, digitCounts, mergedCounts } from '#numeric/select/digit-counts.ts'
import { decodeCounts, encodeCounts } from '#numeric/select/digit-message.ts'
import { narrow, seekRank } from '#numeric/select/select-digits.ts'

/** How many gains of a bucket begin with each digit, as text for a file. */
export function countedGains(values: Float64Array): string {
  return Buffer.from(encodeCounts(digitCounts({ values }))).toString('base64')
}

/** Gains that lie in a range, and the one that is sought of these: so many come before it, best first. */
export interface SoughtGain {
  readonly from: number
  readonly below: number
  readonly before: number
}

/** Where the rank-th best gain of all buckets is to be found; undefined if there are not so many. */
export function soughtGain(counted: readonly string[], rank: number): SoughtGain | undefined {
  const counts: DigitCounts[] = counted.map((text) => decodeCounts(Buffer.from(text, 'base64')))
  const found = rank > 0 ? narrow(seekRank(rank), mergedCounts(counts)) : undefined
  if (found === undefined) return undefined
  const [digit] = found.leading
  return { from: leastWith(digit), below: leastWith(digit + 1), before: found.rank - 1 }
}

/** The least double whose upper 16 bits are these. */
function leastWith(digit: number): number {
  const bytes = new DataView(new ArrayBuffer(8))
  bytes.setUint16(0, digit)
  return bytes.getFloat64(0)
}
