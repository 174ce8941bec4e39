import type { ParsedPage } from '../page/page.ts'
import { DocumentText } from './document-text.ts'
import {
  byNumber,
  type OfficeArchive,
  propertiesIn,
  relationsOf,
  visitXml,
} from './office-archive.ts'

const SLIDE = /^ppt\/slides\/slide\d+\.xml$/
const NOTES = /^ppt\/notesSlides\/notesSlide\d+\.xml$/
const TITLE_PLACE = /^(?:title|ctrTitle)$/i
/** What stands on every slide, as its number and date. */
const FIXED_PLACE = /^(?:sldNum|dt|ftr|hdr)$/i

/** A presentation of PowerPoint (Office Open XML): the slides, then the notes. */
export function readSlides(archive: OfficeArchive, url: string): ParsedPage {
  const text = new DocumentText(url)
  for (const kind of [SLIDE, NOTES])
    for (const part of archive.names.filter((name) => kind.test(name)).sort(byNumber)) {
      if (text.isFull) break
      readSlide(archive, part, text)
    }
  return text.page('pptx', propertiesIn(archive.text('docProps/core.xml')))
}

function readSlide(archive: OfficeArchive, part: string, text: DocumentText): void {
  const relations = relationsOf(archive, part)
  let isText = false
  let place = ''
  let cells = 0
  let heading = ''
  let href: string | undefined
  visitXml(archive.text(part), {
    open: (name, attributes) => {
      if (name === 't') isText = true
      else if (name === 'sp') place = ''
      else if (name === 'tc') cells++
      else if (name === 'ph') place = attributes().get('type') ?? ''
      else if (name === 'br') text.gap('\n')
      else if (name === 'hlinkclick') {
        const relation = relations.get(attributes().get('r:id') ?? '')
        if (relation?.isExternal) href = relation.target
      }
    },
    close: (name) => {
      if (name === 't') isText = false
      if (name === 'r') href = undefined
      if (name === 'tc') cells--
      if (name === 'p' || name === 'tr') text.gap(cells > 0 ? ' ' : '\n')
      if (name !== 'sp') return
      if (heading.trim() !== '') text.heading ??= heading
      heading = ''
    },
    text: (piece) => {
      if (!isText || FIXED_PLACE.test(place)) return
      text.add(piece)
      if (href !== undefined) text.addLink(href, piece)
      if (TITLE_PLACE.test(place) && heading.length < 1_000) heading += `${piece} `
    },
    get isDone() {
      return text.isFull
    },
  })
}
