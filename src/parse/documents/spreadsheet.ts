import { MAX_TEXT_CHARS, type ParsedPage } from '../page/page.ts'
import { DocumentText } from './document-text.ts'
import {
  byNumber,
  type OfficeArchive,
  partAt,
  propertiesIn,
  relationsOf,
  visitXml,
} from './office-archive.ts'

const WORKBOOK = 'xl/workbook.xml'
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/
const MOST_SHARED_TEXTS = 500_000
const MOST_SHEETS = 1_000

/** A workbook of Excel (Office Open XML): a line for each row, below the name of its sheet. */
export function readSpreadsheet(archive: OfficeArchive, url: string): ParsedPage {
  const text = new DocumentText(url)
  const shared = sharedTexts(archive.text('xl/sharedStrings.xml'))
  for (const [name, part] of sheetsOf(archive)) {
    if (text.isFull) break
    text.addLine(name)
    readSheet(archive, part, shared, text)
  }
  return text.page('xlsx', propertiesIn(archive.text('docProps/core.xml')))
}

/** Names and parts of the sheets, as the workbook lists them. */
function sheetsOf(archive: OfficeArchive): (readonly [name: string, part: string])[] {
  const relations = relationsOf(archive, WORKBOOK)
  const sheets: (readonly [string, string])[] = []
  visitXml(archive.text(WORKBOOK), {
    open: (element, attributes) => {
      if (element !== 'sheet' || sheets.length >= MOST_SHEETS) return
      const said = attributes()
      const relation = relations.get(said.get('r:id') ?? '')
      if (relation) sheets.push([said.get('name') ?? '', partAt(WORKBOOK, relation.target)])
    },
  })
  if (sheets.length > 0) return sheets
  const parts = archive.names.filter((name) => SHEET.test(name)).sort(byNumber)
  return parts.slice(0, MOST_SHEETS).map((part) => ['', part])
}

/** Texts that cells refer to by number; no more of them than a page can show. */
function sharedTexts(xml: string | undefined): string[] {
  const texts: string[] = []
  let chars = 0
  let current = ''
  let isText = false
  let isReading = 0
  visitXml(xml, {
    open: (name) => {
      if (name === 'si') current = ''
      if (name === 'rph') isReading++ // how it is pronounced
      isText = name === 't' && isReading === 0
    },
    close: (name) => {
      if (name === 'rph') isReading--
      if (name === 't') isText = false
      if (name === 'si') texts.push(current)
    },
    text: (piece) => {
      if (!isText || chars > 10 * MAX_TEXT_CHARS) return
      current += piece
      chars += piece.length
    },
    get isDone() {
      return texts.length >= MOST_SHARED_TEXTS
    },
  })
  return texts
}

function readSheet(
  archive: OfficeArchive,
  part: string,
  shared: readonly string[],
  text: DocumentText,
): void {
  const relations = relationsOf(archive, part)
  let type = ''
  let value = ''
  let isValue = false
  visitXml(archive.text(part), {
    open: (name, attributes) => {
      if (name === 'c') {
        type = attributes().get('t') ?? ''
        value = ''
      } else if (name === 'v' || name === 't') isValue = true
      else if (name === 'hyperlink') {
        const said = attributes()
        const relation = relations.get(said.get('r:id') ?? '')
        if (relation?.isExternal) text.addLink(relation.target, said.get('display') ?? '')
      }
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false
      if (name === 'row') text.gap('\n')
      if (name !== 'c') return
      text.add(type === 's' ? (shared[Number(value)] ?? '') : value)
      text.gap(' ')
    },
    text: (piece) => {
      if (isValue && value.length < MAX_TEXT_CHARS) value += piece
    },
    get isDone() {
      return text.isFull
    },
  })
}
