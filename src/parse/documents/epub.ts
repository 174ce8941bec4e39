import { decodedXml } from '../feeds/scan-xml.ts'
import { parseHtml } from '../html/html.ts'
import type { ParsedPage } from '../page/page.ts'
import { DocumentText } from './document-text.ts'
import { type OfficeArchive, partAt, propertiesIn, visitXml } from './office-archive.ts'

const MOST_CHAPTERS = 5_000

/** A book (EPUB): its chapters in the order of its spine. */
export function readEpub(archive: OfficeArchive, url: string): ParsedPage {
  const text = new DocumentText(url)
  const book = packagePart(archive)
  for (const chapter of chaptersOf(archive, book)) {
    if (text.isFull) break
    const page = parseHtml(archive.text(chapter) ?? '', url)
    for (const line of page.text.split('\n')) text.addLine(line)
    // What leads to other chapters leads nowhere outside of the book.
    for (const link of page.links)
      if (!link.url.startsWith(new URL('.', url).href)) text.addLink(link.url, link.anchor)
  }
  return text.page('epub', propertiesIn(archive.text(book)))
}

/** The part that lists all others. */
function packagePart(archive: OfficeArchive): string {
  let part = ''
  visitXml(archive.text('META-INF/container.xml'), {
    open: (name, attributes) => {
      if (name === 'rootfile') part ||= decodedXml(attributes().get('full-path')) ?? ''
    },
  })
  return part || (archive.names.find((name) => name.endsWith('.opf')) ?? '')
}

function chaptersOf(archive: OfficeArchive, book: string): string[] {
  const items = new Map<string, string>()
  const chapters: string[] = []
  visitXml(archive.text(book), {
    open: (name, attributes) => {
      if (name === 'item' && items.size < MOST_CHAPTERS) {
        const said = attributes()
        const target = decodedXml(said.get('href')) ?? ''
        items.set(said.get('id') ?? '', partAt(book, pathOf(target)))
      } else if (name === 'itemref' && chapters.length < MOST_CHAPTERS) {
        const part = items.get(attributes().get('idref') ?? '')
        if (part !== undefined) chapters.push(part)
      }
    },
  })
  return chapters
}

function pathOf(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target
  }
}
