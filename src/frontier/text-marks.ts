import { hash32 } from '#numeric/hash.ts'
import type { ParsedPage } from '#parse/page.ts'
import { simhash } from '#parse/simhash.ts'
import { textFingerprint } from '#parse/text-fingerprint.ts'
import type { TextMarks } from './duplicates.ts'

/** The marks by which a page's text is known again. */
export function textMarks({ title, text }: ParsedPage): TextMarks {
  const said = `${title}\n${text}`
  const fingerprint = textFingerprint(said)
  const { low, high } = simhash(said)
  return {
    fingerprint: [hexWord(fingerprint.slice(8)), hexWord(fingerprint.slice(0, 8))],
    simhash: [low, high],
    title: titleMark(title),
    words: text === '' ? 0 : countGaps(text) + 1,
  }
}

/** Titles are the same if they differ in case only. */
export function titleMark(title: string): number {
  return hash32(title.toLowerCase())
}

function hexWord(digits: string): number {
  return digits === '' ? 0 : Number.parseInt(digits, 16)
}

/** White space in a parsed text is collapsed, so every gap is one character. */
function countGaps(text: string): number {
  let gaps = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) <= 32) gaps++
  return gaps
}
