import { MAX_TEXT_CHARS } from '../page/page.ts'
import { IS_ASIDE, IS_MAIN, IS_PLACE, MAY_BE_ASIDE } from './page-parts.ts'
import { commonPlace, PagePlaces } from './page-places.ts'

/** A line with this share of its characters in links is one of a menu, if others are around it, */
const MENU_LINK_SHARE = 0.75
/** and so many at least follow each other. */
const LEAST_MENU_LINES = 4
/** At the very beginning and end of a page one line with such a share leads elsewhere: `Prev Up Home Next`. */
const EDGE_LINK_SHARE = 0.4
const EDGE_LINES = 3
/** Longer lines are sentences, whatever their links. */
const MENU_LINE_CHARS = 120
/** What is left as main text must be so much, or the page is a list of links, or its markup tells lies. */
const LEAST_MAIN_CHARS = 60
const LEAST_MAIN_SHARE = 0.2
const LEAST_SHARE_WITHOUT_MENUS = 0.5
/** A page with fewer sentences beside its lists of links is about what it lists, as the head of a chapter is. */
const LEAST_PROSE_PER_MENU = 3
/** For that, shorter lines are sentences too: a character of Chinese says more. */
const SHORT_PROSE_CHARS = 50
/** Longer lines are sentences, but those that are links for the most part. */
const PROSE_CHARS = 80
const PROSE_LINK_SHARE = 0.5

/** A text of so many characters has at most half as many lines. */
const MOST_LINES = MAX_TEXT_CHARS / 2 + 1
// By line of the page being read: characters that came, those in links, the bits of its parts, where it stands, and what is left of it.
// One of each for all pages: `VisibleText` too can be in use only once at a time.
const lineChars = new Uint32Array(MOST_LINES)
const linkChars = new Uint32Array(MOST_LINES)
const lineParts = new Uint8Array(MOST_LINES)
const linePlaces = new Uint32Array(MOST_LINES)
const lineLengths = new Uint32Array(MOST_LINES)
// What is made for each page is plain arrays: typed ones of more than 64 bytes lie apart, and take longer to make.

/** Which lines of a page's text are what it is about, by its elements and by how much of a line is links. */
export class PageLines {
  /** How many lines have something in the arrays. */
  #lines = 0
  /** Bits of all parts that lines lie in. */
  #met = 0
  #asideDepth = 0
  #mainDepth = 0
  #doubtfulDepth = 0
  /** Bits of the parts that are open. */
  #open = 0
  readonly #places = new PagePlaces()

  enter(part: number): void {
    if (part & IS_PLACE) this.#places.enter()
    if (part & IS_ASIDE) this.#asideDepth++
    if (part & IS_MAIN) this.#mainDepth++
    if (part & MAY_BE_ASIDE) this.#doubtfulDepth++
    this.#open |= part & ~IS_PLACE
  }

  leave(part: number): void {
    if (part & IS_PLACE) this.#places.leave()
    if (part & IS_ASIDE && --this.#asideDepth === 0) this.#open &= ~IS_ASIDE
    if (part & IS_MAIN && --this.#mainDepth === 0) this.#open &= ~IS_MAIN
    if (part & MAY_BE_ASIDE && --this.#doubtfulDepth === 0) this.#open &= ~MAY_BE_ASIDE
  }

  /** So many characters were added to a line; lines come in order. */
  add(line: number, chars: number, isInLink: boolean): void {
    if (line >= MOST_LINES) return
    while (this.#lines <= line) {
      lineChars[this.#lines] = linkChars[this.#lines] = lineParts[this.#lines] = 0
      this.#lines++
    }
    const place = this.#places.current
    linePlaces[line] = lineChars[line] === 0 ? place : commonPlace(linePlaces[line], place)
    lineChars[line] += chars
    if (isInLink) linkChars[line] += chars
    lineParts[line] |= this.#open
    this.#met |= this.#open
  }

  /** Runs of lines aside from what the page is about: first and end of each, in order. */
  asides(text: string): number[] {
    const count = measureLines(text)
    if (count < 2) return []
    for (; this.#lines < count; this.#lines++)
      lineChars[this.#lines] = linkChars[this.#lines] = lineParts[this.#lines] = 0
    const marked: number[] = new Array(count).fill(0)
    if (this.#met & (IS_ASIDE | MAY_BE_ASIDE)) markByAuthor(marked)
    // The strictest reading that leaves something to read counts.
    return this.#readings(marked).find((runs) => runs !== undefined) ?? []
  }

  *#readings(marked: readonly number[]) {
    const besideProse = markBesideProse(marked, this.#places)
    if (this.#met & IS_MAIN) {
      if (besideProse) yield runsThatLeaveEnough(markOutsideMain(besideProse))
      yield runsThatLeaveEnough(markOutsideMain(marked))
    }
    if (besideProse) yield runsThatLeaveEnough(besideProse)
    yield runsThatLeaveEnough(marked)
  }
}

/** Notes the lengths of a text's lines; gives their number. */
function measureLines(text: string): number {
  let count = 0
  for (let start = 0; count < MOST_LINES; ) {
    const end = text.indexOf('\n', start)
    if (end < 0) {
      lineLengths[count++] = text.length - start
      break
    }
    lineLengths[count++] = end - start
    start = end + 1
  }
  return count
}

function markByAuthor(marked: number[]): void {
  for (let line = 0; line < marked.length; line++) {
    const part = lineParts[line]
    const isDoubtful = (part & MAY_BE_ASIDE) !== 0 && lineLengths[line] < PROSE_CHARS
    if ((part & IS_ASIDE) !== 0 || isDoubtful) marked[line] = 1
  }
}

function markOutsideMain(marked: readonly number[]): number[] {
  return marked.map((mark, line) => mark | (lineParts[line] & IS_MAIN ? 0 : 1))
}

/** Marks what stands outside the place of most sentences, too; undefined if there is no such place. */
function markBesideProse(marked: readonly number[], places: PagePlaces): number[] | undefined {
  for (let line = 0; line < marked.length; line++) {
    if (lineChars[line] === 0) continue
    const length = lineLengths[line]
    const inLinks = length * Math.min(1, linkChars[line] / lineChars[line])
    const isProse =
      marked[line] === 0 && length >= PROSE_CHARS && inLinks < PROSE_LINK_SHARE * length
    places.add(linePlaces[line], length, inLinks, isProse ? length - inLinks : 0)
  }
  const place = places.ofProse()
  if (place === undefined || place.first === 0) return undefined
  const { first, end } = place
  return marked.map((mark, line) => {
    const isBeside = linePlaces[line] < first || linePlaces[line] >= end
    return isBeside && lineChars[line] > 0 ? 1 : mark
  })
}

/** Those lines, with menus and edges if that leaves enough; undefined if even they leave too little. */
function runsThatLeaveEnough(aside: readonly number[]): number[] | undefined {
  const menus = markMenus(aside)
  const edges = markEdges(aside, menus)
  const both = menus && edges ? menus.map((mark, line) => mark | edges[line]) : (menus ?? edges)
  if (both && isAboutTheRest(both, aside)) return runsOf(both)
  if (edges && leavesEnough(edges, LEAST_SHARE_WITHOUT_MENUS)) return runsOf(edges)
  return leavesEnough(aside, LEAST_MAIN_SHARE) ? runsOf(aside) : undefined
}

/** Whether a page is about more than its lists of links, which are marked beside what is aside anyway. */
function isAboutTheRest(marked: number[], aside: readonly number[]): boolean {
  let prose = 0
  let menus = 0
  for (let line = 0; line < marked.length; line++) {
    const length = lineLengths[line]
    if (marked[line] > aside[line]) menus += length
    else if (marked[line] === 0 && length >= SHORT_PROSE_CHARS) prose += length
  }
  return prose >= LEAST_PROSE_PER_MENU * menus && leavesEnough(marked, LEAST_SHARE_WITHOUT_MENUS)
}

/** Marks runs of lines that are mostly links, too; undefined if there are none. */
function markMenus(aside: readonly number[]): number[] | undefined {
  const count = aside.length
  let marked: number[] | undefined
  for (let line = 0; line < count; ) {
    let end = line
    while (end < count && isMenuLine(end, MENU_LINK_SHARE)) end++
    if (end - line >= LEAST_MENU_LINES) {
      marked ??= aside.slice()
      marked.fill(1, line, end)
    }
    line = end > line ? end : line + 1
  }
  return marked
}

/** Marks first and last lines that lead elsewhere, if they are of no menu; undefined if there are none. */
function markEdges(aside: readonly number[], menus = aside): number[] | undefined {
  const count = aside.length
  let marked: number[] | undefined
  // Behind a sentence nothing is an edge: links there are headings, as of the teasers of a front page.
  for (const [first, step] of [
    [0, 1],
    [count - 1, -1],
  ])
    for (let edge = 0; edge < EDGE_LINES && edge < count; edge++) {
      const line = first + step * edge
      if (lineLengths[line] >= PROSE_CHARS) break
      if (menus[line] !== 0 || !isMenuLine(line, EDGE_LINK_SHARE)) continue
      marked ??= aside.slice()
      marked[line] = 1
    }
  return marked
}

function isMenuLine(line: number, share: number): boolean {
  const chars = lineChars[line]
  return chars > 0 && chars <= MENU_LINE_CHARS && linkChars[line] >= share * chars
}

/** Runs of lines that are aside, if enough of the text is left without them. */
export function asideRuns(aside: readonly boolean[], text: string): number[] {
  const marked = aside.slice(0, measureLines(text)).map(Number)
  return leavesEnough(marked, LEAST_MAIN_SHARE) ? runsOf(marked) : []
}

function leavesEnough(aside: readonly number[], leastShare: number): boolean {
  let all = 0
  let main = 0
  for (let line = 0; line < aside.length; line++) {
    all += lineLengths[line]
    if (aside[line] === 0) main += lineLengths[line]
  }
  return main >= LEAST_MAIN_CHARS && main >= leastShare * all
}

function runsOf(aside: readonly number[]): number[] {
  const runs: number[] = []
  let before = 0
  for (let line = 0; line < aside.length; line++) {
    if (aside[line] !== before) runs.push(line)
    before = aside[line]
  }
  if (before === 1) runs.push(aside.length)
  return runs
}
