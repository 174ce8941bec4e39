import { type Csr, rowCount } from '#numeric/csr.ts'
import { seededRandom } from '#numeric/random.ts'

interface HarmonicOptions {
  /**
   * How many links may be followed in all, 128 walkers at a time; 400 million unless given, a matter
   * of seconds. It is enough for every source among some tens of thousands of hosts; beyond, sources
   * are sampled until it is spent.
   */
  readonly maxSteps?: number
  /** For drawing sources. */
  readonly seed?: number
}

/**
 * Harmonic centrality of each node: the sum over all others of 1 / the links on the shortest way from
 * them. An unbiased estimate from as many sources as `maxSteps` allows, exact if that is all of them.
 *
 * @paper BoldiVigna2014 — computed from 128 sources at a time.
 */
export function harmonicCentrality(links: Csr, options: HarmonicOptions = {}): Float64Array {
  const { maxSteps = 4e8, seed = 1 } = options
  const count = rowCount(links)
  const sources = seededRandom(seed).shuffle(Array.from({ length: count }, (_, node) => node))
  const walks = new Walks(links)
  let drawn = 0
  while (drawn < count && walks.steps < maxSteps) {
    const batch = sources.slice(drawn, drawn + LANES)
    walks.from(batch)
    drawn += batch.length
  }
  return walks.centrality.map((sum) => (sum * count) / drawn)
}

const WORDS = 4
/** Sources that walk at a time: one a bit of a node's words. */
const LANES = WORDS * 32

/**
 * Breadth-first walks from many sources at once. Node n has the words n·WORDS … of each array: a bit
 * of `seen` says that a source has been there, of `fresh` that it came in the last round, of
 * `arriving` that it comes in this one. Between rounds all of `arriving` is 0.
 */
class Walks {
  readonly centrality: Float64Array
  /** Links followed so far. */
  steps = 0
  readonly #links: Csr
  readonly #seen: Int32Array
  readonly #fresh: Int32Array
  readonly #arriving: Int32Array
  /** The nodes somebody came to in the last round, so that a round costs what it touches. */
  readonly #front: Uint32Array
  readonly #touched: Uint32Array
  readonly #isTouched: Uint8Array

  constructor(links: Csr) {
    const count = rowCount(links)
    this.#links = links
    this.centrality = new Float64Array(count)
    this.#seen = new Int32Array(count * WORDS)
    this.#fresh = new Int32Array(count * WORDS)
    this.#arriving = new Int32Array(count * WORDS)
    this.#front = new Uint32Array(count)
    this.#touched = new Uint32Array(count)
    this.#isTouched = new Uint8Array(count)
  }

  /** Adds to each node's centrality what the distances from these sources are worth. */
  from(sources: readonly number[]): void {
    this.#seen.fill(0)
    sources.forEach((source, lane) => {
      const word = source * WORDS + (lane >>> 5)
      this.#seen[word] = 1 << (lane & 31)
      this.#fresh.fill(0, source * WORDS, (source + 1) * WORDS)
      this.#fresh[word] = this.#seen[word]
      this.#front[lane] = source
    })
    let size = sources.length
    for (let distance = 1; size > 0; distance++) size = this.#settle(this.#spread(size), distance)
  }

  /** Sends everybody in the front along every link; gives how many nodes were touched. */
  #spread(frontSize: number): number {
    const { offsets, targets } = this.#links
    const front = this.#front
    const touched = this.#touched
    const isTouched = this.#isTouched
    const fresh = this.#fresh
    const arriving = this.#arriving
    let touchedCount = 0
    for (let i = 0; i < frontSize; i++) {
      const from = front[i] * WORDS
      const end = offsets[front[i] + 1]
      this.steps += end - offsets[front[i]]
      for (let edge = offsets[front[i]]; edge < end; edge++) {
        const target = targets[edge]
        const to = target * WORDS
        for (let word = 0; word < WORDS; word++) arriving[to + word] |= fresh[from + word]
        if (isTouched[target] === 1) continue
        isTouched[target] = 1
        touched[touchedCount++] = target
      }
    }
    return touchedCount
  }

  /** Counts those who came to a node for the first time; gives the size of the next front. */
  #settle(touchedCount: number, distance: number): number {
    const seen = this.#seen
    const fresh = this.#fresh
    const arriving = this.#arriving
    let frontSize = 0
    for (let i = 0; i < touchedCount; i++) {
      const node = this.#touched[i]
      this.#isTouched[node] = 0
      let arrivals = 0
      for (let at = node * WORDS; at < (node + 1) * WORDS; at++) {
        fresh[at] = arriving[at] & ~seen[at]
        seen[at] |= fresh[at]
        arriving[at] = 0
        arrivals += countBits(fresh[at])
      }
      if (arrivals === 0) continue
      this.centrality[node] += arrivals / distance
      this.#front[frontSize++] = node
    }
    return frontSize
  }
}

function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
