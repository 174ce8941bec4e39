import { decodedXml } from '../feeds/scan-xml.ts'
import type { ParsedPage } from '../page/page.ts'
import { DocumentText } from './document-text.ts'
import { mustHave, type OfficeArchive, propertiesIn, visitXml } from './office-archive.ts'

/** Text that was deleted, or that only says who commented when. */
const UNSHOWN = new Set(['tracked-changes', 'annotation', 'sender-initials', 'forms', 'settings'])
const LINES = new Set(['p', 'h', 'table-row', 'page', 'line-break'])

/** A document of LibreOffice and its kin (OpenDocument): text, sheets and slides have the same elements. */
export function readOpenDocument(
  archive: OfficeArchive,
  url: string,
  format: 'odt' | 'ods' | 'odp',
): ParsedPage {
  mustHave(archive, 'content.xml')
  const text = new DocumentText(url)
  let body = 0
  let paragraphs = 0
  let unshown = 0
  let cells = 0
  let heading: string | undefined
  let link: { readonly href: string | undefined; anchor: string } | undefined
  visitXml(archive.text('content.xml'), {
    open: (name, attributes) => {
      if (name === 'body') body++
      if (body === 0) return
      if (UNSHOWN.has(name)) unshown++
      if (name === 'p' || name === 'h') paragraphs++
      if (name === 'table-cell') cells++
      if (name === 'h' && text.heading === undefined) heading = ''
      if (name === 's' || name === 'tab') text.gap(' ')
      if (name === 'a') link = { href: decodedXml(attributes().get('xlink:href')), anchor: '' }
    },
    close: (name) => {
      if (name === 'body') body--
      if (UNSHOWN.has(name)) unshown--
      if (name === 'p' || name === 'h') paragraphs--
      if (name === 'table-cell') cells--
      // A cell's own paragraphs are parts of its row's line.
      if (LINES.has(name)) text.gap(cells > 0 && name !== 'table-row' ? ' ' : '\n')
      if (name === 'table-cell') text.gap(' ')
      if (name === 'h' && heading !== undefined) {
        if (heading.trim() !== '') text.heading ??= heading
        heading = undefined
      }
      if (name === 'a' && link) {
        text.addLink(link.href, link.anchor)
        link = undefined
      }
    },
    text: (piece) => {
      if (paragraphs === 0 || unshown > 0) return
      text.add(piece)
      if (heading !== undefined && heading.length < 1_000) heading += piece
      if (link && link.anchor.length < 1_000) link.anchor += piece
    },
    get isDone() {
      return text.isFull
    },
  })
  return text.page(format, propertiesIn(archive.text('meta.xml')))
}
