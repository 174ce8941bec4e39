import { GrowingColumn } from '#numeric/grow.ts'
import { hash64, lastHash64 } from '#numeric/hash.ts'

/** A response that a later revisit may refer to. */
export interface Capture {
  /** As in the file: `sha1:` and base 32. */
  readonly digest: string
  /** Seconds since 1970, whole. */
  readonly at: number
  /** The uuid of its record. */
  readonly id: string
}

const HEX = 16

/**
 * The last response of each URL, about 80 bytes each: a URL is its 64-bit hash, which is enough to
 * choose a revisit by, since the digest has to agree as well.
 */
export class LastCaptures {
  readonly #low = new GrowingColumn(Uint32Array)
  readonly #high = new GrowingColumn(Uint32Array)
  readonly #at = new GrowingColumn(Float64Array)
  /** Digest, then id. */
  readonly #texts = new GrowingColumn(Uint8Array)
  // Open addressing with linear probing; holds number + 1, and 0 where a slot is free.
  #slots = new Uint32Array(64)

  get size(): number {
    return this.#at.length
  }

  set(url: string, capture: Capture): void {
    const packed = pack(capture)
    if (packed === undefined) return
    const slot = this.#slotOf(url)
    const number = this.#slots[slot] - 1
    if (number >= 0) {
      this.#at.set(number, capture.at)
      packed.forEach((byte, i) => {
        this.#texts.set(number * PACKED_BYTES + i, byte)
      })
      return
    }
    this.#low.push(lastHash64[0])
    this.#high.push(lastHash64[1])
    this.#texts.append(packed)
    this.#slots[slot] = this.#at.push(capture.at) + 1
    if (this.size > this.#slots.length * 0.7) this.#growSlots()
  }

  get(url: string): Capture | undefined {
    const number = this.#slots[this.#slotOf(url)] - 1
    if (number < 0) return undefined
    const start = number * PACKED_BYTES
    const packed = this.#texts.view().subarray(start, start + PACKED_BYTES)
    return { at: this.#at.at(number), ...unpack(packed) }
  }

  /** The slot of the URL or the free one where it belongs; leaves the URL's hash behind. */
  #slotOf(url: string): number {
    hash64(url)
    const [low, high] = lastHash64
    const mask = this.#slots.length - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] - 1
      if (number < 0) return slot
      if (this.#low.at(number) === low && this.#high.at(number) === high) return slot
    }
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let number = 0; number < this.size; number++) {
      let slot = this.#low.at(number) & mask
      while (slots[slot] > 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

const DIGEST_CHARACTERS = 32
const PACKED_BYTES = DIGEST_CHARACTERS + HEX

/** Undefined for digests and ids that others may have written in other forms. */
function pack({ digest, id }: Capture): Uint8Array | undefined {
  const hex = id.replaceAll('-', '')
  if (!/^sha1:[A-Z2-7]{32}$/.test(digest) || !/^[0-9a-f]{32}$/i.test(hex)) return undefined
  const packed = new Uint8Array(PACKED_BYTES)
  for (let i = 0; i < DIGEST_CHARACTERS; i++) packed[i] = digest.charCodeAt(5 + i)
  for (let i = 0; i < HEX; i++)
    packed[DIGEST_CHARACTERS + i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16)
  return packed
}

function unpack(packed: Uint8Array): { digest: string; id: string } {
  const digest = String.fromCharCode(...packed.subarray(0, DIGEST_CHARACTERS))
  const hex = Buffer.from(packed.subarray(DIGEST_CHARACTERS)).toString('hex')
  return { digest: `sha1:${digest}`, id: dashed(hex) }
}

function dashed(hex: string): string {
  const cuts = [0, 8, 12, 16, 20, 32]
  return cuts
    .slice(1)
    .map((end, i) => hex.slice(cuts[i], end))
    .join('-')
}
