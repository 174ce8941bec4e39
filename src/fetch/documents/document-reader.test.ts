import { afterAll, describe, expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { DOCUMENT_FORMATS } from '#parse/page/document-format.ts'
import { DocumentReader } from './document-reader.ts'
import { docxOf, pdfOf, pdfStream, plainPdf, xlsxOf, zipOf } from './documents.test-kit.ts'

const MIB = 1024 * 1024
const URL = 'http://a.example/x'
const reader = new DocumentReader({
  formats: DOCUMENT_FORMATS,
  mostMs: 4_000,
  mostBytes: 96 * MIB,
})
afterAll(() => reader.close())

const read = (body: Uint8Array) => reader.read({ body, url: URL })

/** A PDF of one page with such contents. */
const pageOf = (contents: string | Buffer, more = '') =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count 1/Kids[3 0 R]${more}>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    contents,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<<>>',
  ])

const word = (xml: string | Buffer) => zipOf({ 'word/document.xml': xml })
const nested = (open: string, close: string, times: number) =>
  open.repeat(times) + close.repeat(times)

/** Files made to cost their reader as much as can be; each is read, or costs one fault. */
const HOSTILE: Readonly<Record<string, () => Buffer>> = {
  'an archive that unpacks to 300 MiB': () => word(Buffer.alloc(300 * MIB, 'a')),
  'an archive whose parts unpack to 40 MiB each': () =>
    zipOf({
      'xl/workbook.xml': '<workbook/>',
      ...Object.fromEntries(
        Array.from({ length: 8 }, (_, i) => [
          `xl/worksheets/sheet${i}.xml`,
          Buffer.alloc(40 * MIB, '<c><v>1</v></c>'),
        ]),
      ),
    }),
  'entities that grow': () =>
    word(
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${'bcdefghij'.split('').reduce((all, name, i) => `${all}<!ENTITY ${name} "${`&${'abcdefghij'[i]};`.repeat(10)}">`, '')}]><w:p><w:t>&j;</w:t></w:p>`,
    ),
  'a million nested elements': () => word(nested('<w:p>', '</w:p>', 1_000_000)),
  'a million attributes': () => word(`<w:p ${'a="1" '.repeat(1_000_000)}>`),
  'a shared text that cells repeat': () =>
    zipOf({
      'xl/workbook.xml': '<workbook/>',
      'xl/sharedStrings.xml': `<sst><si><t>${'word '.repeat(100_000)}</t></si></sst>`,
      'xl/worksheets/sheet1.xml': '<c t="s"><v>0</v></c>'.repeat(500_000),
    }),
  'a directory that names itself a million entries': () => {
    const body = docxOf()
    body.writeUInt16LE(0xffff, body.length - 12)
    return body
  },
  'a PDF stream that unpacks to 300 MiB': () => pageOf(pdfStream(Buffer.alloc(300 * MIB, ' '))),
  'a PDF of streams in streams': () =>
    pageOf(
      pdfStream(pdfStream(Buffer.alloc(400 * MIB, 'BT ')), '/Filter[/FlateDecode/FlateDecode]'),
    ),
  'a PDF page that is its own parent': () =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1000000/Kids[2 0 R 2 0 R 2 0 R 2 0 R]/Parent 2 0 R>>',
      '<<>>',
    ]),
  'a PDF of two thousand million pages': () =>
    pageOf(pdfStream('BT /F 9 Tf (x) Tj ET'), '/Count 2000000000'),
  'a PDF form that draws itself': () =>
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>',
      pdfStream('/X Do '.repeat(1000)),
      pdfStream(
        '/X Do '.repeat(1000),
        '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>',
      ),
      '<<>>',
    ]),
  'a PDF of brackets': () => pageOf(pdfStream('['.repeat(3_000_000))),
  'a PDF of nested dictionaries': () => pdfOf([`${'<</A'.repeat(500_000)}`, '<<>>']),
  'a PDF of letters, each at a place of its own': () =>
    pageOf(pdfStream(`BT /F 9 Tf ${'1 0 0 1 3 3 Tm (x) Tj '.repeat(1_000_000)} ET`)),
  // The engine ended the whole process, and not the thread whose memory was limited.
  'a PDF of objects without end': () =>
    Buffer.from(
      `%PDF-1.4\n${Array.from({ length: 600_000 }, (_, i) => `${i + 1} 0 obj `).join('')}`,
    ),
  'a PDF of a million names': () =>
    Buffer.from(
      `%PDF-1.4\ntrailer\n<<${Array.from({ length: 900_000 }, (_, i) => `/${i.toString(36)} 1`).join('')}>>`,
    ),
  'RTF of a million groups': () => Buffer.from(`{\\rtf1 ${'{\\b '.repeat(1_000_000)}`),
  'RTF of control words': () => Buffer.from(`{\\rtf1 ${'\\u99999 '.repeat(1_000_000)}`),
}

describe('a hostile file costs one outcome', () => {
  const some = [
    ...['entities that grow', 'a million attributes', 'a PDF page that is its own parent'],
    'a PDF of objects without end',
  ]
  for (const [name, make] of Object.entries(HOSTILE))
    test.skipIf(!isThorough && !some.includes(name))(name, { timeout: 120_000 }, async () => {
      const startedAt = performance.now()
      const document = await read(make())
      expect(document).toBeDefined()
      if ('page' in document!) expect(document.page.text.length).toBeLessThanOrEqual(200_000)
      else expect(document!.fault).toMatch(/not read within 4 s|too much memory|^broken: /)
      expect(performance.now() - startedAt).toBeLessThan(60_000)
      // Whoever comes next does not suffer.
      expect(await read(xlsxOf())).toMatchObject({ page: { format: 'xlsx' } })
    })
})

test('documents are read in turn, and not at all once nobody waits', async () => {
  const end = new AbortController()
  const first = read(plainPdf([['Bees']]))
  const second = reader.read({ body: docxOf(), url: URL }, end.signal)
  end.abort()
  expect(await first).toMatchObject({ page: { format: 'pdf' } })
  expect(await second).toBeUndefined()
})
