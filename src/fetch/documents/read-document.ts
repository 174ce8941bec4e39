import { readEpub } from '#parse/documents/epub.ts'
import type { OfficeArchive } from '#parse/documents/office-archive.ts'
import { readOpenDocument } from '#parse/documents/open-document.ts'
import { readRtf } from '#parse/documents/rtf.ts'
import { readSlides } from '#parse/documents/slides.ts'
import { readSpreadsheet } from '#parse/documents/spreadsheet.ts'
import { readWordDocument } from '#parse/documents/word-document.ts'
import { containerOf, type DocumentFormat, zippedFormat } from '#parse/page/document-format.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { readPdf } from './pdf-document.ts'
import { openZip } from './zip-archive.ts'

/** A document as it was received. */
export interface Document {
  readonly body: Uint8Array
  readonly url: string
}

/** What a document says, or why it cannot be told. */
export type ReadDocument = { readonly page: ParsedPage } | { readonly fault: string }

/** Reads a document by what it is, whatever it is called. Time and memory are limited by whoever calls. */
export async function readDocument({ body, url }: Document): Promise<ReadDocument> {
  try {
    return await readBy(body, url)
  } catch (error) {
    if (error instanceof RangeError) throw error
    return { fault: `broken: ${(error as Error).message.slice(0, 100)}` }
  }
}

async function readBy(body: Uint8Array, url: string): Promise<ReadDocument> {
  switch (containerOf(body)) {
    case 'pdf':
      return { page: await readPdf(body, url) }
    case 'rtf':
      return { page: readRtf(Buffer.from(body).toString('latin1'), url) }
    case 'zip': {
      const archive = openZip(body)
      const format = zippedFormat((name) => archive.names.includes(name), archive.text('mimetype'))
      return format === undefined
        ? { fault: 'a ZIP archive that is no document' }
        : { page: readZipped(format, archive, url) }
    }
    case undefined:
      return { fault: 'no document' }
  }
}

function readZipped(format: DocumentFormat, archive: OfficeArchive, url: string): ParsedPage {
  switch (format) {
    case 'docx':
      return readWordDocument(archive, url)
    case 'xlsx':
      return readSpreadsheet(archive, url)
    case 'pptx':
      return readSlides(archive, url)
    case 'odt':
    case 'ods':
    case 'odp':
      return readOpenDocument(archive, url, format)
    case 'epub':
      return readEpub(archive, url)
    default:
      throw new Error(`${format} in a ZIP archive`)
  }
}
