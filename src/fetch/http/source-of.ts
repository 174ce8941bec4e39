import type { ParsedPage } from '#parse/page/page.ts'
import { decodeBody } from '#parse/text/charset.ts'

/** The markup of a page in UTF-8, for whoever renders it; nothing of what a browser would run no scripts in. */
export function sourceOf(
  { form }: ParsedPage,
  body: Uint8Array,
  type: string,
): { readonly source?: Uint8Array } {
  const isMarkup = form === 'page' && !/^\s*text\/plain\b/i.test(type)
  return isMarkup ? { source: Buffer.from(decodeBody(body, type)) } : {}
}
