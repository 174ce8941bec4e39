import { hash32 } from '#numeric/hash.ts'
import { mainText } from '#parse/page/main-text.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { wordMarks } from '#parse/text/simhash.ts'
import type { TextMarks } from './duplicates.ts'

/** The marks by which a page's text is known again: what it is about, whatever menus are around it. */
export function textMarks(page: ParsedPage): TextMarks {
  const { title } = page
  const { fingerprint, simhash, words } = wordMarks(title, mainText(page))
  return {
    fingerprint: [fingerprint.low, fingerprint.high],
    simhash: [simhash.low, simhash.high],
    title: titleMark(title),
    words,
  }
}

/** Titles are the same if they differ in case only. */
export function titleMark(title: string): number {
  return hash32(title.toLowerCase())
}

/** 52 bits of a hex hash: enough to tell two versions of one page apart, in one float. */
export function contentKey(contentHash: string): number {
  return Number.parseInt(contentHash.slice(0, 13), 16)
}
