import type { Archive } from '#archive/format/archive.ts'

/** What stands around a link on a recorded page, from the nearest on. */
export interface LinkContext {
  /** The page it leads to. */
  readonly target: number
  readonly link: number
  /** Up to eight words before and after it, of its own sentence. */
  readonly near: string
  /** Up to forty words before and after it in its block. */
  readonly block: string
  /** The blocks that follow until the next link: a teaser. */
  readonly teaser: string
  /** The nearest short line above it that is no sentence and no link. */
  readonly heading: string
}

const NEAR_WORDS = 8
const BLOCK_WORDS = 40
/** A link is sought in so many blocks from where the link before it was found. */
const BLOCKS_AHEAD = 12
const HEADING_WORDS = 12
const BLOCKS_BACK = 15

interface Found {
  readonly link: number
  readonly block: number
  readonly start: number
  readonly end: number
}

/**
 * Finds the links of a version in its text: both are recorded in order, but not where in the text a link stood. Links
 * in menus and links whose words are not found in turn have no context.
 */
export function linkContexts(archive: Archive, version: number): LinkContext[] {
  const blocks: string[] = []
  const isAside: boolean[] = []
  archive.forEachBlock(version, (text, boilerplate) => {
    blocks.push(text.replace(/\s+/g, ' ').trim())
    isAside.push(boilerplate)
  })
  const found = foundLinks(archive, version, blocks)
  const hasLink = new Set(found.map(({ block }) => block))
  return found.flatMap(({ link, block, start, end }) => {
    const target = archive.linkPage(link)
    if (isAside[block] || target === undefined) return []
    const text = blocks[block]
    const [before, after] = [wordsOf(text.slice(0, start)), wordsOf(text.slice(end))]
    return [
      {
        ...{ target, link },
        near: nearest(before, after).join(' '),
        block: [...before.slice(-BLOCK_WORDS), ...after.slice(0, BLOCK_WORDS)].join(' '),
        teaser: teaserAfter(block, blocks, hasLink),
        heading: headingAbove(block, blocks, hasLink),
      },
    ]
  })
}

function foundLinks(archive: Archive, version: number, blocks: readonly string[]): Found[] {
  const found: Found[] = []
  let [block, offset] = [0, 0]
  archive.forEachLink(version, (link) => {
    const anchor = archive.linkAnchor(link).replace(/\s+/g, ' ').trim()
    if (anchor === '') return
    for (let at = block; at < Math.min(blocks.length, block + BLOCKS_AHEAD); at++) {
      const from = at === block ? offset : 0
      const start = wholeIndexOf(blocks[at], anchor, from)
      const isWhole = start < 0 && from === 0 && blocks[at] !== '' && anchor.startsWith(blocks[at])
      if (start < 0 && !isWhole) continue
      const end = isWhole ? blocks[at].length : start + anchor.length
      found.push({ link, block: at, start: Math.max(0, start), end })
      ;[block, offset] = [at, end]
      return
    }
  })
  return found
}

/** Where whole words begin to be the anchor's, or -1. */
function wholeIndexOf(text: string, anchor: string, from: number): number {
  for (let at = text.indexOf(anchor, from); at >= 0; at = text.indexOf(anchor, at + 1))
    if (!isWithinWord(text, at) && !isWithinWord(text, at + anchor.length)) return at
  return -1
}

function isWithinWord(text: string, at: number): boolean {
  return /^[\p{L}\p{N}]{2}$/u.test(text.slice(Math.max(0, at - 1), at + 1))
}

function nearest(before: readonly string[], after: readonly string[]): string[] {
  const near: string[] = []
  for (let i = before.length - 1; i >= Math.max(0, before.length - NEAR_WORDS); i--) {
    if (/[.!?]$/.test(before[i])) break
    near.unshift(before[i])
  }
  for (const word of after.slice(0, NEAR_WORDS)) {
    near.push(word)
    if (/[.!?]$/.test(word)) break
  }
  return near
}

function teaserAfter(block: number, blocks: readonly string[], hasLink: ReadonlySet<number>) {
  const words: string[] = []
  for (let at = block + 1; at < blocks.length && at <= block + 3 && !hasLink.has(at); at++)
    words.push(...wordsOf(blocks[at]))
  return words.slice(0, BLOCK_WORDS).join(' ')
}

function headingAbove(block: number, blocks: readonly string[], hasLink: ReadonlySet<number>) {
  for (let at = block - 1; at >= Math.max(0, block - BLOCKS_BACK); at--) {
    const words = wordsOf(blocks[at]).length
    if (words > 0 && words <= HEADING_WORDS && !/[.!?…]$/.test(blocks[at]) && !hasLink.has(at))
      return blocks[at]
  }
  return ''
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
