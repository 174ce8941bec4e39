import { asideRuns } from '#parse/html/page-lines.ts'
import { withLanguage } from '#parse/language/page-language.ts'
import {
  type Link,
  MAX_ANCHOR_CHARS,
  MAX_LINKS,
  MAX_TEXT_CHARS,
  MAX_TITLE_CHARS,
  type ParsedPage,
} from '#parse/page/page.ts'
import { CollapsedText } from '#parse/text/collapsed-text.ts'
import type { ArchiveAddresses } from './archive-addresses.ts'
import type { Archive } from './format/archive.ts'

/** What parsing a version's rendered HTML gives, without the detour. */
export function recordedPage(
  archive: Archive,
  addresses: ArchiveAddresses,
  version: number,
): ParsedPage {
  const text = new CollapsedText(MAX_TEXT_CHARS)
  archive.forEachBlock(version, (block) => {
    text.add(block.toWellFormed())
    text.gap('\n')
  })
  const asides = asideRuns(boilerplateLines(archive, version), text.toString())
  return withLanguage({
    form: 'page',
    title: collapsed(archive.titleOf(version), MAX_TITLE_CHARS),
    text: text.toString(),
    ...(asides.length > 0 && { asides }),
    links: recordedLinks(archive, addresses, version),
    noindex: false,
    nofollow: false,
  })
}

/** Which lines of a recorded page's text are boilerplate. */
export function boilerplateLines(archive: Archive, version: number): boolean[] {
  const lines: boolean[] = []
  archive.forEachBlock(version, (block, boilerplate) => {
    if (/\S/.test(block)) lines.push(boilerplate) // a blank block makes no line
  })
  return lines
}

function recordedLinks(archive: Archive, addresses: ArchiveAddresses, version: number): Link[] {
  const links: Link[] = []
  archive.forEachLink(version, (link) => {
    if (links.length >= MAX_LINKS) return
    const url = addresses.linkUrl(link)
    if (url === undefined) return
    links.push({ url, anchor: collapsed(archive.linkAnchor(link), MAX_ANCHOR_CHARS), rel: 0 })
  })
  return links
}

function collapsed(text: string, limitChars: number): string {
  const collapsing = new CollapsedText(limitChars)
  collapsing.add(text.toWellFormed())
  return collapsing.toString()
}
