/** How many digits of 16 bits a key has: four of its value, then four of what breaks ties. */
export const KEY_DIGITS = 8
const DIGITS = 1 << 16
/** Below so many, most digits do not occur. */
const FEW = 2_048
/** Of the two words of a double, the one with sign and exponent. */
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0

/**
 * What is to be put in order, in columns: the larger value first, of equal values the lower tie. As doubles of at
 * least 0 have the order of their bits, value and inverted tie are one key of 128 bits, largest first. Values below 0
 * count as 0.
 */
export interface Keyed {
  readonly values: Float64Array
  /** Words of the tie, the more important one first; left out where ties need not be broken. */
  readonly first?: Uint32Array
  readonly second?: Uint32Array
}

/** How many, or how much, lies at each value of one digit. Only those that occur, ascending. */
export interface DigitCounts {
  readonly digits: Uint16Array
  readonly counts: Float64Array
}

/**
 * Of what shares the leading digits given: by its next digit, how many there are. With `weightOf`, what they weigh;
 * sums are exact as long as these are whole numbers.
 */
export function digitCounts(
  keyed: Keyed,
  leading: readonly number[] = [],
  weightOf?: (place: number) => number,
): DigitCounts {
  const { length } = keyed.values
  const digitAt = digitReader(keyed, leading)
  if (length < FEW) return fewCounts(length, digitAt, weightOf)
  if (leading.length === 0 && weightOf === undefined) return sparse(firstDigits(keyed.values))
  const counts = new Float64Array(DIGITS)
  for (let place = 0; place < length; place++) {
    const digit = digitAt(place)
    if (digit >= 0) counts[digit] += weightOf === undefined ? 1 : weightOf(place)
  }
  return sparse(counts)
}

/** The same without a place for every digit there might be. */
function fewCounts(
  length: number,
  digitAt: (place: number) => number,
  weightOf: (place: number) => number = () => 1,
): DigitCounts {
  const found = new Map<number, number>()
  for (let place = 0; place < length; place++) {
    const digit = digitAt(place)
    if (digit >= 0) found.set(digit, (found.get(digit) ?? 0) + weightOf(place))
  }
  const digits = Uint16Array.from(found.keys()).sort()
  return { digits, counts: Float64Array.from(digits, (digit) => found.get(digit)!) }
}

/** By the first digit: how many there are. The one pass that looks at everything, so it takes two at a time. */
function firstDigits(values: Float64Array): Uint32Array {
  const words = wordsOf(values)
  const [even, odd] = [new Uint32Array(DIGITS), new Uint32Array(DIGITS)]
  const last = values.length - 1
  for (let place = 0; place < last; place += 2) {
    const [word, other] = [words[2 * place + HIGH], words[2 * place + 2 + HIGH]]
    even[word >= 0x80000000 ? 0 : word >>> 16]++
    odd[other >= 0x80000000 ? 0 : other >>> 16]++
  }
  if (last % 2 === 0) even[values[last] > 0 ? words[2 * last + HIGH] >>> 16 : 0]++
  for (let digit = 0; digit < DIGITS; digit++) even[digit] += odd[digit]
  return even
}

/** The values with this first digit. */
export function valuesBeginning(values: Float64Array, digit: number, count: number): Float64Array {
  const words = wordsOf(values)
  const found = new Float64Array(count)
  let size = 0
  for (let place = 0; place < values.length; place++) {
    const word = words[2 * place + HIGH]
    if ((word >= 0x80000000 ? 0 : word >>> 16) === digit) found[size++] = values[place]
  }
  return found
}

/** The places of those that share all the leading digits given. */
export function placesWith(keyed: Keyed, leading: readonly number[]): Uint32Array {
  const { length } = keyed.values
  const [before, last] = [leading.slice(0, -1), leading.at(-1)]
  const digitAt = last === undefined ? () => undefined : digitReader(keyed, before)
  const places = new Uint32Array(length)
  let count = 0
  for (let place = 0; place < length; place++) if (digitAt(place) === last) places[count++] = place
  return places.slice(0, count)
}

/** Gives the digit after the leading ones at a place, or -1 where these are others. */
function digitReader(keyed: Keyed, leading: readonly number[]): (place: number) => number {
  const { values, first, second } = keyed
  const words = wordsOf(values)
  const wordAt = [
    (place: number) => (values[place] > 0 ? words[2 * place + HIGH] : 0),
    (place: number) => (values[place] > 0 ? words[2 * place + 1 - HIGH] : 0),
    (place: number) => (first ? ~first[place] >>> 0 : 0),
    (place: number) => (second ? ~second[place] >>> 0 : 0),
  ]
  const whole = leading.length >> 1
  const half = leading.length % 2 === 1 ? leading[leading.length - 1] : undefined
  const read = wordAt[whole]
  const next = (place: number) => {
    const word = read(place)
    if (half === undefined) return word >>> 16
    return word >>> 16 === half ? word & 0xffff : -1
  }
  if (whole === 0) return next
  const known = Array.from({ length: whole }, (_, i) => joined(leading[2 * i], leading[2 * i + 1]))
  return (place) => {
    for (let i = 0; i < whole; i++) if (wordAt[i](place) !== known[i]) return -1
    return next(place)
  }
}

function joined(high: number, low: number): number {
  return ((high << 16) | low) >>> 0
}

function wordsOf(values: Float64Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
}

function sparse(counts: Float64Array | Uint32Array): DigitCounts {
  let size = 0
  for (let digit = 0; digit < DIGITS; digit++) if (counts[digit] > 0) size++
  const found = { digits: new Uint16Array(size), counts: new Float64Array(size) }
  for (let digit = 0, at = 0; at < size; digit++) {
    if (counts[digit] === 0) continue
    found.digits[at] = digit
    found.counts[at++] = counts[digit]
  }
  return found
}

/** The counts of several buckets together, whatever the order they come in. */
export function mergedCounts(all: Iterable<DigitCounts>): DigitCounts {
  const sums = new Float64Array(DIGITS)
  for (const { digits, counts } of all)
    for (let i = 0; i < digits.length; i++) sums[digits[i]] += counts[i]
  return sparse(sums)
}
