import {
  type Link,
  MAX_LINKS,
  MAX_TEXT_CHARS,
  MAX_TITLE_CHARS,
  type ParsedPage,
} from '../page/page.ts'
import { CollapsedText } from '../text/collapsed-text.ts'
import { detached } from '../text/detached.ts'
import { canonicalUrl, MAX_URL_CHARS } from '../url/canonical-url.ts'
import { fileName } from './document-text.ts'

/** Of a plain text so much is read; nearly all of it may be white space. */
const MAX_PLAIN_CHARS = 20 * MAX_TEXT_CHARS
/** A longer first line is a sentence. */
const MOST_HEADING_CHARS = 120
/** Addresses as people write them; what follows them in a sentence is no part of them. */
const ADDRESS = new RegExp(`https?://[^\\s<>"'\`{}|\\\\^]{1,${MAX_URL_CHARS}}`, 'gi')
const AFTER_ADDRESS = /[.,;:!?*_)\]]{1,20}$/
/** Marks of headings and comments. */
const HEADING_MARKS = /^[#=*;/\s-]{1,80}|[#=*\s-]{1,80}$/g

/** A page of plain text: its first line is its title, or the name of its file; addresses in it are links. */
export function plainPage(source: string, url: string): ParsedPage {
  const collapsed = new CollapsedText(MAX_TEXT_CHARS)
  const readChars = Math.min(source.length, MAX_PLAIN_CHARS)
  for (let start = 0; start < readChars && !collapsed.isFull; ) {
    const lineEnd = source.indexOf('\n', start)
    const end = lineEnd < 0 ? readChars : Math.min(lineEnd, readChars)
    collapsed.add(source, start, end)
    collapsed.gap('\n')
    start = end + 1
  }
  const text = collapsed.toString()
  return {
    form: 'page',
    format: 'text',
    title: titleOf(text, url),
    text,
    links: linksIn(text),
    noindex: false,
    nofollow: false,
  }
}

function titleOf(text: string, url: string): string {
  const first = text.slice(0, 2 * MOST_HEADING_CHARS).split('\n', 1)[0]
  const heading = first.replace(HEADING_MARKS, '').trim()
  const isHeading = heading.length > 1 && heading.length <= MOST_HEADING_CHARS
  return detached(isHeading ? heading : fileName(url)).slice(0, MAX_TITLE_CHARS)
}

function linksIn(text: string): Link[] {
  const links: Link[] = []
  for (const [written] of text.matchAll(ADDRESS)) {
    const url = canonicalUrl(written.replace(AFTER_ADDRESS, ''))
    if (url !== undefined) links.push({ url: detached(url), anchor: '', rel: 0 })
    if (links.length >= MAX_LINKS) break
  }
  return links
}
