import type { TextMarks } from '#frontier/texts/duplicates.ts'
import { textMarks } from '#frontier/texts/text-marks.ts'
import { looksLikeSoftError } from '#parse/page/soft-404.ts'
import type { PageOutcome } from './outcome.ts'

/** What learning needs of a page's text. The kept log has this in place of the text. */
export interface TextFacts {
  /** In characters. */
  readonly length: number
  /** Absent for sitemaps and feeds. */
  readonly marks?: TextMarks
  /** A page that says "not found" with status 200. */
  readonly softError: boolean
}

export function textFactsOf({ page, textFacts }: PageOutcome): TextFacts {
  if (textFacts) return textFacts
  const facts = { length: page.text.length, softError: looksLikeSoftError(page) }
  return page.form === 'page' ? { ...facts, marks: textMarks(page) } : facts
}
