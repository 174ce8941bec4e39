import { IS_ASIDE, IS_MAIN, MAY_BE_ASIDE } from './page-parts.ts'

/** A line with this share of its characters in links is one of a menu, if others are around it, */
const MENU_LINK_SHARE = 0.6
/** and so many at least follow each other. */
const LEAST_MENU_LINES = 4
/** At the very beginning and end of a page one line with such a share leads elsewhere: `Prev Up Home Next`. */
const EDGE_LINK_SHARE = 0.4
const EDGE_LINES = 3
/** Longer lines are sentences, whatever their links. */
const MENU_LINE_CHARS = 120
/** What is left as main text must be so much, or the page is a list of links, or its markup tells lies. */
const LEAST_MAIN_CHARS = 200
const LEAST_MAIN_SHARE = 0.2
/** A table of contents is what its page is about. */
const LEAST_SHARE_WITHOUT_MENUS = 0.5
/** Longer lines are sentences. */
const PROSE_CHARS = 80

/** Which lines of a page's text are what it is about, by its elements and by how much of a line is links. */
export class PageLines {
  readonly #chars: number[] = []
  readonly #linkChars: number[] = []
  /** Bits of the parts that each line lies in. */
  readonly #parts: number[] = []
  #asideDepth = 0
  #mainDepth = 0
  #doubtfulDepth = 0

  enter(part: number): void {
    if (part & IS_ASIDE) this.#asideDepth++
    if (part & IS_MAIN) this.#mainDepth++
    if (part & MAY_BE_ASIDE) this.#doubtfulDepth++
  }

  leave(part: number): void {
    if (part & IS_ASIDE) this.#asideDepth--
    if (part & IS_MAIN) this.#mainDepth--
    if (part & MAY_BE_ASIDE) this.#doubtfulDepth--
  }

  /** So many characters were added to a line; lines come in order. */
  add(line: number, chars: number, isInLink: boolean): void {
    while (this.#chars.length <= line) {
      this.#chars.push(0)
      this.#linkChars.push(0)
      this.#parts.push(0)
    }
    this.#chars[line] += chars
    if (isInLink) this.#linkChars[line] += chars
    if (this.#asideDepth > 0) this.#parts[line] |= IS_ASIDE
    if (this.#mainDepth > 0) this.#parts[line] |= IS_MAIN
    if (this.#doubtfulDepth > 0) this.#parts[line] |= MAY_BE_ASIDE
  }

  /** Runs of lines aside from what the page is about: first and end of each, in order. */
  asides(text: string): number[] {
    if (!text.includes('\n')) return []
    const lengths = lineLengths(text)
    const parts = lengths.map((_, line) => this.#parts[line] ?? 0)
    const byAuthor = parts.map(
      (part, line) =>
        (part & IS_ASIDE) !== 0 || ((part & MAY_BE_ASIDE) !== 0 && lengths[line] < PROSE_CHARS),
    )
    const hasMain = parts.some((part) => (part & IS_MAIN) !== 0)
    const outsideMain = parts.map((part, i) => byAuthor[i] || (hasMain && (part & IS_MAIN) === 0))
    // The strictest reading that leaves something to read counts.
    for (const aside of [outsideMain, byAuthor]) {
      const withMenus = this.#withMenus(aside)
      if (leavesEnough(withMenus, lengths, LEAST_SHARE_WITHOUT_MENUS)) return runsOf(withMenus)
      if (leavesEnough(aside, lengths)) return runsOf(aside)
    }
    return []
  }

  /** Marks runs of lines that are mostly links, too. */
  #withMenus(aside: readonly boolean[]): boolean[] {
    const marked = aside.slice()
    const isMenuLine = (line: number, share: number) =>
      this.#chars[line] > 0 &&
      this.#chars[line] <= MENU_LINE_CHARS &&
      this.#linkChars[line] >= share * this.#chars[line]
    for (let line = 0; line < aside.length; ) {
      let end = line
      while (end < aside.length && isMenuLine(end, MENU_LINK_SHARE)) end++
      if (end - line >= LEAST_MENU_LINES) marked.fill(true, line, end)
      line = Math.max(end, line + 1)
    }
    for (const line of edges(aside.length))
      if (isMenuLine(line, EDGE_LINK_SHARE)) marked[line] = true
    return marked
  }
}

function edges(lines: number): number[] {
  const first = Array.from({ length: Math.min(EDGE_LINES, lines) }, (_, line) => line)
  return [...first, ...first.map((line) => lines - 1 - line)]
}

function lineLengths(text: string): number[] {
  return text.split('\n').map(({ length }) => length)
}

/** Runs of lines that are aside, if enough of the text is left without them. */
export function asideRuns(aside: readonly boolean[], text: string): number[] {
  return leavesEnough(aside, lineLengths(text)) ? runsOf(aside) : []
}

function leavesEnough(
  aside: readonly boolean[],
  lengths: readonly number[],
  leastShare = LEAST_MAIN_SHARE,
): boolean {
  let all = 0
  let main = 0
  lengths.forEach((length, line) => {
    all += length
    if (!aside[line]) main += length
  })
  return main >= LEAST_MAIN_CHARS && main >= leastShare * all
}

function runsOf(aside: readonly boolean[]): number[] {
  const runs: number[] = []
  aside.forEach((isAside, line) => {
    if (isAside !== (aside[line - 1] ?? false)) runs.push(line)
  })
  if (aside.at(-1)) runs.push(aside.length)
  return runs
}
