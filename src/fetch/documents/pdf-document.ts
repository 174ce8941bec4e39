import { DocumentText } from '#parse/documents/document-text.ts'
import { PdfLines, type PdfPiece } from '#parse/documents/pdf-lines.ts'
import type { ParsedPage } from '#parse/page/page.ts'

/** More pages are not looked at, even if they are empty. */
const MOST_PAGES = 2_000
/** `D:20260102030405+01'00'` */
const PDF_DATE = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/

const CATALOG = /(\d{1,9}) 0 obj[^>]{0,500}\/Type\s{0,9}\/Catalog\b/
/** What pdf.js gives, as far as it is used. */
interface PdfDocument {
  readonly numPages: number
  getMetadata(): Promise<{ readonly info?: Readonly<Record<string, unknown>> }>
  getPage(number: number): Promise<PdfPage>
}

interface PdfPage {
  getTextContent(): Promise<{ readonly items: readonly PdfItem[] }>
  getAnnotations(): Promise<readonly Readonly<Record<string, unknown>>[]>
  cleanup(): unknown
}

interface PdfItem {
  readonly str?: string
  readonly transform?: readonly number[]
  readonly width?: number
  readonly height?: number
  readonly hasEOL?: boolean
}

/** A PDF: its text in paragraphs, its links, and what it says of itself. */
export async function readPdf(body: Uint8Array, url: string): Promise<ParsedPage> {
  const document = await openPdf(body)
  const text = new DocumentText(url)
  const lines = new PdfLines()
  const pages = Math.min(document.numPages, MOST_PAGES)
  let readPages = 0
  for (let number = 1; number <= pages && !lines.isFull; number++)
    if (await readPage(document, number, lines, text)) readPages++
  if (readPages === 0) throw new Error('no page of it can be read')
  lines.addTo(text)
  const { info = {} } = await document.getMetadata().catch(() => ({ info: {} }))
  return text.page('pdf', {
    title: textOf(info.Title),
    author: textOf(info.Author),
    description: textOf(info.Subject),
    language: textOf(info.Language),
    created: isoDate(textOf(info.CreationDate)),
    modified: isoDate(textOf(info.ModDate)),
  })
}

/** A file whose end was cut off has no trailer; one is made that names its catalog, if that is there. */
async function openPdf(body: Uint8Array): Promise<PdfDocument> {
  try {
    return await openWhole(body)
  } catch (error) {
    const catalog = CATALOG.exec(Buffer.from(body).toString('latin1'))?.[1]
    if (catalog === undefined || error instanceof RangeError) throw error
    const trailer = Buffer.from(`\nendobj\ntrailer\n<</Root ${catalog} 0 R>>\n%%EOF`)
    return openWhole(Buffer.concat([body, trailer]))
  }
}

/** Loaded when the first PDF comes: it takes a third of a second. */
async function openWhole(body: Uint8Array): Promise<PdfDocument> {
  const { getDocument } = await import('unpdf/pdfjs')
  // The library takes the bytes away from whoever gives them.
  const task = getDocument({
    data: new Uint8Array(body),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    stopAtErrors: false,
    enableXfa: false,
    verbosity: 0,
  })
  return (await task.promise) as unknown as PdfDocument
}

/** A page that is broken leaves the others to be read. */
async function readPage(
  document: PdfDocument,
  number: number,
  lines: PdfLines,
  text: DocumentText,
): Promise<boolean> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    lines.addPage(items.flatMap(pieceOf))
    for (const { subtype, url, unsafeUrl } of await page.getAnnotations())
      if (subtype === 'Link') text.addLink(textOf(url) ?? textOf(unsafeUrl))
    page.cleanup()
    return true
  } catch (error) {
    if (error instanceof RangeError) throw error // of memory: see `memory-guard.ts`
    return false
  }
}

function pieceOf(item: PdfItem): PdfPiece[] {
  const { str, transform, width = 0, height = 0, hasEOL = false } = item
  if (str === undefined || !transform) return []
  const size = height || Math.hypot(transform[2], transform[3])
  return [{ text: str, x: transform[4], y: transform[5], width, size, endsLine: hasEOL }]
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isoDate(date: string | undefined): string | undefined {
  const parts = PDF_DATE.exec(date ?? '')
  if (!parts) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = parts
  const [, , , , , , , sign, hours = '00', minutes = '00'] = parts
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`
}
