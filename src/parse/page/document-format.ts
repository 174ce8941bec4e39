/** What is read beside pages in HTML. */
export const DOCUMENT_FORMATS = [
  ...(['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'rtf'] as const),
] as const
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'

/** Types of the standards, and those that servers send in their place. */
const BY_TYPE: ReadonlyMap<string, DocumentFormat> = new Map<string, DocumentFormat>([
  ['application/pdf', 'pdf'],
  ['application/x-pdf', 'pdf'],
  [`${OPEN_XML}wordprocessingml.document`, 'docx'],
  [`${OPEN_XML}wordprocessingml.template`, 'docx'],
  [`${OPEN_XML}spreadsheetml.sheet`, 'xlsx'],
  [`${OPEN_XML}presentationml.presentation`, 'pptx'],
  [`${OPEN_XML}presentationml.slideshow`, 'pptx'],
  [`${OPEN_DOCUMENT}text`, 'odt'],
  [`${OPEN_DOCUMENT}spreadsheet`, 'ods'],
  [`${OPEN_DOCUMENT}presentation`, 'odp'],
  ['application/epub+zip', 'epub'],
  ['application/rtf', 'rtf'],
  ['text/rtf', 'rtf'],
])
/** Types that say nothing, or only how a file is packed. */
const VAGUE_TYPE =
  /^(?:application|binary)\/(?:octet-stream|x-?download|force-download|zip|x-zip-compressed|unknown|x-unknown)$|^$/
const EXTENSION = /\.([a-z]{3,4})$/i

/** The format that a type names, or the name of the file where the type says nothing. */
export function declaredFormat(mediaType: string, path: string): DocumentFormat | undefined {
  const named = BY_TYPE.get(mediaType)
  if (named !== undefined || !VAGUE_TYPE.test(mediaType)) return named
  const extension = EXTENSION.exec(path)?.[1].toLowerCase()
  return DOCUMENT_FORMATS.find((format) => format === extension)
}

/** PDF may have some bytes of a mail or printer before it. */
const PDF_WITHIN = 1024

/** How a file is to be read, by its first bytes: an archive is looked into by its reader. */
type Container = 'pdf' | 'zip' | 'rtf'

export function containerOf(body: Uint8Array): Container | undefined {
  const start = String.fromCharCode(...body.subarray(0, PDF_WITHIN))
  if (start.startsWith('PK\x03\x04')) return 'zip'
  if (start.startsWith('{\\rtf')) return 'rtf'
  return start.includes('%PDF-') ? 'pdf' : undefined
}

const ZIP_FORMATS: readonly (readonly [entry: string, format: DocumentFormat])[] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
]

/** What an archive is, by the names in it and its `mimetype` entry. */
export function zippedFormat(
  has: (name: string) => boolean,
  mimetype: string | undefined,
): DocumentFormat | undefined {
  const office = ZIP_FORMATS.find(([entry]) => has(entry))
  if (office) return office[1]
  const type = (mimetype ?? '').trim()
  return BY_TYPE.get(type) ?? BY_TYPE.get(type.replace(/-template$/, ''))
}
