import type { ParsedPage } from '../page/page.ts'
import { DocumentText } from './document-text.ts'
import {
  byNumber,
  mustHave,
  type OfficeArchive,
  propertiesIn,
  type Relation,
  relationsOf,
  visitXml,
} from './office-archive.ts'

const MAIN = 'word/document.xml'
/** Parts that have text of their own, and come after it. */
const NOTES = /^word\/(?:footnotes|endnotes|comments)\.xml$/
const HEADING_STYLE = /^(?:title|titel|titre|heading ?1|berschrift1|titre1)$/i
const FIELD_LINK = /^\s*HYPERLINK\s+"([^"]+)"/i

/** A document of Word (Office Open XML). */
export function readWordDocument(archive: OfficeArchive, url: string): ParsedPage {
  mustHave(archive, MAIN)
  const text = new DocumentText(url)
  const notes = archive.names.filter((name) => NOTES.test(name)).sort(byNumber)
  for (const part of [MAIN, ...notes])
    readPart(archive.text(part), relationsOf(archive, part), text)
  return text.page('docx', propertiesIn(archive.text('docProps/core.xml')))
}

function readPart(
  xml: string | undefined,
  relations: ReadonlyMap<string, Relation>,
  text: DocumentText,
): void {
  let isText = false
  let isInstruction = false
  /** Within what is shown only by programs that know no better. */
  let fallbacks = 0
  let isHeading = false
  let cells = 0
  let heading = ''
  let href: string | undefined
  let anchor = ''
  let instruction = ''
  const endLink = () => {
    text.addLink(href, anchor)
    href = undefined
    anchor = ''
  }
  visitXml(xml, {
    open: (name, attributes) => {
      if (name === 'fallback') fallbacks++
      else if (name === 'tc') cells++
      else if (name === 't') isText = true
      else if (name === 'instrtext') isInstruction = true
      else if (name === 'tab') text.gap(' ')
      else if (name === 'br' || name === 'cr') text.gap('\n')
      else if (name === 'pstyle' && text.heading === undefined)
        isHeading = HEADING_STYLE.test(attributes().get('w:val') ?? '')
      else if (name === 'hyperlink') {
        const relation = relations.get(attributes().get('r:id') ?? '')
        href = relation?.isExternal ? relation.target : undefined
        anchor = ''
      } else if (name === 'fldchar') {
        const kind = attributes().get('w:fldchartype')
        if (kind === 'separate') href = FIELD_LINK.exec(instruction)?.[1] ?? href
        if (kind === 'end') endLink()
        if (kind !== undefined) instruction = ''
      }
    },
    close: (name) => {
      if (name === 'fallback') fallbacks--
      else if (name === 't') isText = false
      else if (name === 'instrtext') isInstruction = false
      else if (name === 'hyperlink') endLink()
      else if (name === 'tr') text.gap('\n')
      else if (name === 'tc') {
        cells--
        text.gap(' ')
      } else if (name === 'p') {
        text.gap(cells > 0 ? ' ' : '\n')
        if (isHeading && heading.trim() !== '') text.heading ??= heading
        isHeading = false
        heading = ''
      }
    },
    text: (piece) => {
      if (fallbacks > 0) return
      if (isInstruction && instruction.length < 5_000) instruction += piece
      if (!isText) return
      text.add(piece)
      if (isHeading && heading.length < 1_000) heading += piece
      if (href !== undefined && anchor.length < 1_000) anchor += piece
    },
    get isDone() {
      return text.isFull
    },
  })
}
