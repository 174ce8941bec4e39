import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Link } from '#parse/page/page.ts'

/** What a cycle may hold of pages: they are in memory, words, links and all, until it is committed. */
export const MOST_HELD_BYTES = 16 * 2 ** 20

/** Of the object that has its URL and its anchor text, beside their characters. */
const BYTES_A_LINK = 100

const BYTES_A_NUMBER = 8

/** About how much memory an outcome takes. Strangers decide on that: a page may have ten thousand long links. */
export function heldBytes(outcome: FetchOutcome): number {
  const found = linkBytes(outcome.found ?? [])
  if (outcome.kind !== 'page') return found
  const { text, links, asides = [], data = {}, fields = {} } = outcome.page
  const words = [...Object.values(data), ...Object.values(fields)].flat()
  const wordBytes = words.reduce((sum: number, word) => sum + textBytes(String(word)), 0)
  return textBytes(text) + linkBytes(links) + found + BYTES_A_NUMBER * asides.length + wordBytes
}

function linkBytes(links: readonly Link[]): number {
  return links.reduce((sum, { url, anchor }) => sum + BYTES_A_LINK + url.length + anchor.length, 0)
}

/** One byte for each character, or two for each if any needs them. */
function textBytes(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length
}
