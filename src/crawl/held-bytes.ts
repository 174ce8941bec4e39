import type { FetchOutcome } from '#learn/entries/outcome.ts'

/** What a cycle may hold of pages: they are in memory, words, links and all, until it is committed. */
export const MOST_HELD_BYTES = 24 * 2 ** 20

/** Of its URL, its anchor text and the object that has both. */
const BYTES_A_LINK = 200

/** About how much memory an outcome takes. Strangers decide on that: a page may have ten thousand links. */
export function heldBytes(outcome: FetchOutcome): number {
  const found = outcome.found?.length ?? 0
  if (outcome.kind !== 'page') return found * BYTES_A_LINK
  const { text, links } = outcome.page
  return textBytes(text) + (links.length + found) * BYTES_A_LINK
}

/** One byte for each character, or two for each if any needs them. */
function textBytes(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length
}
