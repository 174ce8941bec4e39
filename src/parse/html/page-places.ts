/** Fewer characters in sentences say little of where a page is about something, as does such a share of what is in no link. */
const LEAST_PROSE = 300
const LEAST_PROSE_SHARE = 0.2
/** What is around a place is of it too until the place has such a share of the sentences, */
const LEAST_SHARE = 0.5
/** and as long as it is sentences for so much at least, and links for so much at most: a section's neighbours, but no teasers. */
const PROSE_AROUND = 0.25
const LINKS_AROUND = 0.15

/** Elements beyond these are taken for part of the one around them, so that markup of any shape takes linear time. */
const MOST_PLACES = 1 << 16
const MOST_DEPTH = 250
// By place of the page being read: the one around it, and its characters: all, those in links, those of sentences.
// One of each for all pages; a place has a larger number than the one around it, and what is within it follows it.
const parents = new Uint32Array(MOST_PLACES)
const charsIn = new Float64Array(MOST_PLACES)
const linksIn = new Float64Array(MOST_PLACES)
const proseIn = new Float64Array(MOST_PLACES)

/** Where a page's lines stand: its elements such as divisions and lists, as a tree whose root is the page. */
export class PagePlaces {
  #count = 0
  #current = 0
  /** How many elements are open, and how many of them are no places of their own. */
  #depth = 0
  #beyond = 0

  constructor() {
    this.#begin(0)
  }

  /** The innermost place that is open. */
  get current(): number {
    return this.#current
  }

  enter(): void {
    this.#depth++
    if (this.#depth < MOST_DEPTH && this.#count < MOST_PLACES) this.#begin(this.#current)
    else this.#beyond++
  }

  leave(): void {
    this.#depth--
    if (this.#beyond > 0) this.#beyond--
    else this.#current = parents[this.#current]
  }

  /** A line that stands in a place has so many characters, so many of them in links and so many of sentences. */
  add(place: number, chars: number, inLinks: number, prose: number): void {
    charsIn[place] += chars
    linksIn[place] += inLinks
    proseIn[place] += prose
  }

  /**
   * The place of what a page is about, as its number and that of the first place behind it; undefined if it has too few
   * sentences. It is the one with most sentences of its own, or one around it.
   */
  ofProse(): { first: number; end: number } | undefined {
    const count = this.#count
    let place = 0
    for (let other = 1; other < count; other++) if (proseIn[other] > proseIn[place]) place = other
    for (let inner = count - 1; inner > 0; inner--) {
      const around = parents[inner]
      this.add(around, charsIn[inner], linksIn[inner], proseIn[inner])
    }
    const all = proseIn[0]
    if (all < LEAST_PROSE || all < LEAST_PROSE_SHARE * (charsIn[0] - linksIn[0])) return undefined
    for (let around = place; around > 0; ) {
      around = parents[around]
      if (proseIn[place] < LEAST_SHARE * all || isMoreOf(place, around)) place = around
    }
    let end = place + 1
    while (end < count && parents[end] >= place) end++
    return { first: place, end }
  }

  #begin(around: number): void {
    const place = this.#count++
    parents[place] = around
    charsIn[place] = linksIn[place] = proseIn[place] = 0
    this.#current = place
  }
}

/** The innermost place that holds both. */
export function commonPlace(one: number, other: number): number {
  let [a, b] = [one, other]
  while (a !== b) {
    if (a > b) a = parents[a]
    else b = parents[b]
  }
  return a
}

/** Whether what a place around another has beside it goes on with what that one says. */
function isMoreOf(place: number, around: number): boolean {
  const chars = charsIn[around] - charsIn[place]
  const prose = proseIn[around] - proseIn[place]
  const links = linksIn[around] - linksIn[place]
  return chars > 0 && prose >= PROSE_AROUND * chars && links <= LINKS_AROUND * chars
}
