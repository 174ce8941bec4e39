import { detached } from '../text/detached.ts'
import type { ParsedPage } from './page.ts'

/** What a page says of itself for machines, by whichever vocabulary says it first. */
export interface PageData {
  /** What it is about, as in `Article` or `Product`. */
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly author?: string
  /** Seconds since 1970. */
  readonly published?: number
  readonly modified?: number
  /** An address. */
  readonly image?: string
  /** All of it, by vocabulary, as JSON. */
  readonly json?: string
}

/** What is longer says more than a column should. */
const MOST_CHARS: Readonly<Record<string, number>> = {
  type: 100,
  title: 500,
  description: 2_000,
  author: 300,
  image: 2_000,
}
/** Of all that a page says in JSON. */
export const MOST_JSON_CHARS = 16_384

/** The page with what it says of itself, if that is anything. */
export function withData(page: ParsedPage, said: PageData): ParsedPage {
  const data = tidy(said)
  return Object.keys(data).length > 0 ? { ...page, data } : page
}

function tidy(said: PageData): PageData {
  const kept: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(said)) {
    if (typeof value === 'number' && Number.isFinite(value)) kept[name] = value
    if (typeof value !== 'string') continue
    const most = MOST_CHARS[name]
    const text = most === undefined ? value : value.replace(/\s+/g, ' ').trim().slice(0, most)
    if (text !== '') kept[name] = detached(text)
  }
  return kept
}
