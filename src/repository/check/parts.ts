import { indexedPagesPart } from './check-indexed-pages.ts'
import { journalPart } from './check-journal.ts'
import { tablesPart } from './check-tables.ts'
import type { Part } from './part.ts'

/** All that a crawl's directory holds, in the order in which it is mended. */
export const PARTS: readonly Part[] = [journalPart, tablesPart, indexedPagesPart]
