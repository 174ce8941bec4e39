import { hash64, lastHash64, mixHash } from './hash.ts'

/** Numbers that look random and are the same in every run and on every machine. */
export interface Random {
  /** In [0, 1), with 53 bits. */
  next(): number
  /** A whole number in [0, n). */
  below(n: number): number
  chance(p: number): boolean
  pick<T>(items: readonly T[]): T
  /** Mean 0, standard deviation 1. */
  normal(): number
  exponential(mean: number): number
  poisson(mean: number): number
  /** Shuffles in place and gives the same array back. */
  shuffle<T>(items: T[]): T[]
  /**
   * A generator of its own for one purpose. It depends on the seed and the label only, not on what
   * was drawn before, so a new draw in one place moves nothing in another.
   */
  fork(label: string): Random
}

/** A generator whose whole sequence follows from `seed`, any whole number. */
export function seededRandom(seed: number): Random {
  const draw = sfc32(seed)
  const next = (): number => ((draw() >>> 5) * 0x4000000 + (draw() >>> 6)) / 0x20000000000000
  const below = (n: number): number => Math.floor(next() * n)
  const random: Random = {
    next,
    below,
    chance: (p) => next() < p,
    pick: (items) => items[below(items.length)],
    normal: () => polarNormal(next),
    exponential: (mean) => -mean * Math.log(1 - next()),
    poisson: (mean) => poissonCount(next, mean),
    shuffle: (items) => {
      for (let last = items.length - 1; last > 0; last--) {
        const other = below(last + 1)
        const item = items[last]
        items[last] = items[other]
        items[other] = item
      }
      return items
    },
    fork: (label) => seededRandom(forkedSeed(seed, label)),
  }
  return random
}

/** Draws from fixed weights in constant time (Walker's alias method). */
export class WeightedSampler {
  readonly #keep: Float64Array // chance that a draw of column i stays i
  readonly #alias: Uint32Array // what it becomes otherwise

  /** Weights of at least 0, with a sum above 0. */
  constructor(weights: ArrayLike<number>) {
    const size = weights.length
    let sum = 0
    let heaviest = 0
    for (let i = 0; i < size; i++) {
      sum += weights[i]
      if (weights[i] > weights[heaviest]) heaviest = i
    }
    if (!(sum > 0 && sum < Infinity)) throw new Error(`weights must have a sum above 0, not ${sum}`)
    const keep = new Float64Array(size)
    const alias = new Uint32Array(size)
    // One buffer, two stacks: columns below average grow from the left, the others from the right.
    const waiting = new Uint32Array(size)
    let poor = 0
    let rich = size
    for (let i = 0; i < size; i++) {
      keep[i] = (weights[i] * size) / sum
      alias[i] = i
      waiting[keep[i] < 1 ? poor++ : --rich] = i
    }
    while (poor > 0 && rich < size) {
      const taker = waiting[--poor]
      const giver = waiting[rich]
      alias[taker] = giver
      keep[giver] -= 1 - keep[taker]
      if (keep[giver] < 1) {
        rich++
        waiting[poor++] = giver
      }
    }
    // What rounding left over is a full column, or an empty one that must stay empty.
    while (rich < size) keep[waiting[rich++]] = 1
    while (poor > 0) {
      const column = waiting[--poor]
      if (weights[column] > 0) keep[column] = 1
      else alias[column] = heaviest
    }
    this.#keep = keep
    this.#alias = alias
  }

  /** The index of one weight, drawn in proportion to it. */
  sample(random: Random): number {
    const position = random.next() * this.#keep.length
    const column = Math.floor(position)
    return position - column < this.#keep[column] ? column : this.#alias[column]
  }
}

/** The weights 1, 1/2^s, 1/3^s … of Zipf's law, for a `WeightedSampler`. */
export function zipfWeights(size: number, exponent = 1): Float64Array {
  return Float64Array.from({ length: size }, (_, rank) => (rank + 1) ** -exponent)
}

/** 53 bits that follow from all of `seed` and `label`. */
function forkedSeed(seed: number, label: string): number {
  hash64(label)
  const low = mixHash(seed, lastHash64[0])
  const high = mixHash(Math.floor(seed / 0x100000000) ^ low, lastHash64[1]) >>> 11
  return high * 0x100000000 + low
}

/** Chris Doty-Humphrey's small fast counter: 128 bits of state, additions, shifts and rotations. */
function sfc32(seed: number): () => number {
  let a = mixHash(seed, 1) | 0
  let b = mixHash(Math.floor(seed / 0x100000000), 2) | 0
  let c = mixHash(seed, 3) | 0
  let counter = 1
  const draw = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) draw()
  return draw
}

/** Marsaglia's polar method; the second number is dropped so that a draw keeps no hidden state. */
function polarNormal(next: () => number): number {
  for (;;) {
    const x = 2 * next() - 1
    const y = 2 * next() - 1
    const square = x * x + y * y
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square)
  }
}

/** Counts events of rate 1 until `mean` time has passed, in stretches short enough for exp(). */
function poissonCount(next: () => number, mean: number): number {
  let count = 0
  for (let left = mean; left > 0; left -= 500) {
    const limit = Math.exp(-Math.min(left, 500))
    for (let product = next(); product > limit; product *= next()) count++
  }
  return count
}
