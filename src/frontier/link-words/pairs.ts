import { GrowingColumn } from '#numeric/grow.ts'
import { GrowingRows } from '#numeric/growing-rows.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'
import { REL_LISTED, REL_UNVOTED } from '#parse/page/page.ts'
import type { LinkRow } from '../links/link-store.ts'

/** Dead pairs are swept once there are this many, and more than living ones. */
const SWEEP_FROM = 100_000

// Pair p is the eight numbers from 8 * p on, so that what is read of it lies in one line of the cache.
export const PAIR_SIZE = 8
export const PAIR_URL = 0
export const PAIR_ANCHOR = 1
export const PAIR_LINKS = 2
/** Pages that hold those links. */
export const PAIR_SOURCES = 3
/** A mark for loops over pairs, to skip those seen; 0 in a new pair. */
export const PAIR_MARK = 4
/** For the listener to note where its anchor text's n-grams are, and how many words it has. */
export const PAIR_RUN = 5
export const PAIR_WORDS = 6
const PAIR_LAST_ROW = 7 // the row counted last that held the pair

/** Hears what becomes of pairs. */
interface PairListener {
  /** A pair is new, or all pairs have got new numbers and this is one of them. */
  begin(pair: number, anchor: number): void
  /** A pair came to life (1) or died (-1). */
  turn(anchor: number, change: 1 | -1): void
  /** All pairs are about to get new numbers. */
  restart(): void
  /** Whether an anchor text has no words: most entries of sitemaps are bare addresses. */
  isBlank(anchor: number): boolean
}

/**
 * Pairs of anchor text and URL: each once, with the number of links that say so now, and of
 * pages that hold them. Votes count, and what sitemaps and feeds say of pages; no page speaks of itself. A
 * pair without links stays until a sweep: links that go mostly come back.
 */
export class AnchorPairs {
  #pairOf = new WordPairMap() // (anchor, URL) -> pair
  #records = new GrowingColumn(Uint32Array)
  #byUrl = new GrowingRows()
  readonly #linksTo = new GrowingColumn(Uint32Array) // of each URL
  readonly #listener: PairListener
  #rows = 0
  #living = 0

  constructor(listener: PairListener) {
    this.#listener = listener
  }

  /** Pairs that some link says now. */
  get size(): number {
    return this.#living
  }

  /** Counts the links of a page in place of those it had. */
  replace(source: number, oldRow: LinkRow, newRow: LinkRow): void {
    this.#count(source, newRow, 1) // first, so that pairs in both sets do not die and come back
    this.#count(source, oldRow, -1)
    const dead = this.#records.length / PAIR_SIZE - this.#living
    if (dead > SWEEP_FROM && dead > this.#living) this.sweep()
  }

  /** All pairs, the dead too, as they lie. */
  records(): Uint32Array {
    return this.#records.view()
  }

  /** A row of pairs for each URL. */
  get byUrl(): GrowingRows {
    return this.#byUrl
  }

  /** How many links that speak of a URL lead to it. */
  linksTo(url: number): number {
    return this.#linksTo.get(url)
  }

  /** Forgets dead pairs. */
  sweep(): void {
    const old = this.records()
    this.#pairOf = new WordPairMap()
    this.#records = new GrowingColumn(Uint32Array, this.#living * PAIR_SIZE)
    this.#byUrl = new GrowingRows()
    this.#listener.restart()
    for (let from = 0; from < old.length; from += PAIR_SIZE) {
      if (old[from + PAIR_LINKS] === 0) continue
      const to = this.#begin(old[from + PAIR_ANCHOR], old[from + PAIR_URL]) * PAIR_SIZE
      this.#records.set(to + PAIR_LINKS, old[from + PAIR_LINKS])
      this.#records.set(to + PAIR_SOURCES, old[from + PAIR_SOURCES])
    }
  }

  #count(source: number, { targets, anchors, rels }: LinkRow, change: 1 | -1): void {
    const row = ++this.#rows
    for (let link = 0; link < targets.length; link++) {
      if (targets[link] === source || !this.#speaks(rels[link], anchors[link])) continue
      const at = this.#numberOf(anchors[link], targets[link], change) * PAIR_SIZE
      const records = this.#records.view()
      records[at + PAIR_LINKS] += change
      this.#linksTo.add(targets[link], change)
      if (records[at + PAIR_LAST_ROW] !== row) {
        records[at + PAIR_LAST_ROW] = row
        records[at + PAIR_SOURCES] += change
      }
      if (records[at + PAIR_LINKS] !== (change === 1 ? 1 : 0)) continue
      this.#living += change
      this.#listener.turn(anchors[link], change)
    }
  }

  #speaks(rel: number, anchor: number): boolean {
    if ((rel & REL_UNVOTED) === 0) return true
    return (rel & REL_LISTED) !== 0 && !this.#listener.isBlank(anchor)
  }

  #numberOf(anchor: number, url: number, change: 1 | -1): number {
    const known = this.#pairOf.get(anchor, url)
    if (change === 1) return known ?? this.#begin(anchor, url)
    if (known === undefined || this.#records.at(known * PAIR_SIZE + PAIR_LINKS) === 0)
      throw new Error(`a link to URL ${url} goes that never came`)
    return known
  }

  #begin(anchor: number, url: number): number {
    const pair = this.#records.length / PAIR_SIZE
    this.#records.lengthen((pair + 1) * PAIR_SIZE)
    this.#records.set(pair * PAIR_SIZE + PAIR_URL, url)
    this.#records.set(pair * PAIR_SIZE + PAIR_ANCHOR, anchor)
    this.#pairOf.set(anchor, url, pair)
    this.#byUrl.push(url, pair)
    this.#listener.begin(pair, anchor)
    return pair
  }
}
