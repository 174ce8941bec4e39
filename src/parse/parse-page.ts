import { decodeBody } from './charset.ts'
import { CollapsedText } from './collapsed-text.ts'
import { parseHtml } from './html.ts'
import type { ParsedPage } from './page.ts'

const MAX_PLAIN_TEXT_CHARS = 200_000

/** What a body says: plain text if its type says so, markup otherwise. Takes any bytes. */
export function parsePage(
  body: Uint8Array,
  contentType: string | undefined,
  url: string,
): ParsedPage {
  const text = decodeBody(body, contentType)
  return /^\s*text\/plain\b/i.test(contentType ?? '') ? plainPage(text) : parseHtml(text, url)
}

function plainPage(source: string): ParsedPage {
  const text = new CollapsedText(MAX_PLAIN_TEXT_CHARS)
  for (let start = 0; start < source.length; ) {
    const lineEnd = source.indexOf('\n', start)
    const end = lineEnd < 0 ? source.length : lineEnd
    text.add(source, start, end)
    text.gap('\n')
    start = end + 1
  }
  return { title: '', text: text.toString(), links: [], noindex: false, nofollow: false }
}
