import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** A ZIP archive of files, packed; `lie` is what its directory calls the unpacked sizes. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const plain = Buffer.from(content)
    const packed = deflateRawSync(plain)
    const sizes = [crc32(plain), packed.length, plain.length]
    const header = Buffer.concat([
      words('PK\x03\x04', 20, 0x800, 8, 0, 0x21),
      longs(...sizes),
      words('', name.length, 0),
      Buffer.from(name),
    ])
    directory.push(
      words('PK\x01\x02', 20, 20, 0x800, 8, 0, 0x21),
      longs(...sizes),
      words('', name.length, 0, 0, 0, 0),
      longs(0, at),
      Buffer.from(name),
    )
    local.push(header, packed)
    at += header.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const count = Object.keys(files).length
  const end = [words('PK\x05\x06', 0, 0, count, count), longs(listed.length, at), words('', 0)]
  return Buffer.concat([...local, listed, ...end])
}

function words(start: string, ...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length)
  for (const [i, number] of numbers.entries()) bytes.writeUInt16LE(number, 2 * i)
  return Buffer.concat([Buffer.from(start, 'latin1'), bytes])
}

function longs(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [i, number] of numbers.entries()) bytes.writeUInt32LE(number >>> 0, 4 * i)
  return bytes
}

const CORE = `<cp:coreProperties xmlns:dc="d"><dc:title>The way of bees</dc:title><dc:creator>Ada &amp; Bo</dc:creator>
  <dcterms:created>2024-02-03T04:05:06Z</dcterms:created></cp:coreProperties>`
const rels = (target: string) =>
  `<Relationships><Relationship Id="rId1" Type="http://x/hyperlink" Target="${target}" TargetMode="External"/></Relationships>`

const LONG =
  'Bees visit the flowers of the garden, and they carry what they find there to the hive.'

/** A document in Word's format with a heading, a paragraph with a link, and a table. */
export function docxOf(paragraph = LONG): Buffer {
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    'docProps/core.xml': CORE,
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>
      <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Bees</w:t></w:r></w:p>
      <w:p><w:r><w:t xml:space="preserve">${paragraph} See </w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:t>the hive</w:t></w:r></w:hyperlink><w:r><w:t>.</w:t></w:r></w:p>
      <w:p><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>
      <w:tbl><w:tr><w:tc><w:p><w:r><w:t>legs</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>six</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
      </w:body></w:document>`,
    'word/_rels/document.xml.rels': rels('hive.html'),
  })
}

export function xlsxOf(): Buffer {
  return zipOf({
    'docProps/core.xml': CORE,
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Hives" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/sharedStrings.xml':
      '<sst><si><t>Queen</t></si><si><r><t>Wor</t></r><r><t>ker</t></r></si></sst>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>1</v></c></row>
      <row><c t="s"><v>1</v></c><c t="inlineStr"><is><t>many</t></is></c></row></sheetData>
      <hyperlinks><hyperlink r:id="rId1" display="bees"/></hyperlinks></worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': rels('http://b.example/bees'),
  })
}

export function pptxOf(): Buffer {
  const slide = (
    title: string,
    text: string,
  ) => `<p:sld><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>
    <a:p><a:r><a:t>${title}</a:t></a:r></a:p></p:sp><p:sp><a:p><a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>${text}</a:t></a:r></a:p></p:sp>
    <p:sp><p:nvPr><p:ph type="sldNum"/></p:nvPr><a:p><a:t>7</a:t></a:p></p:sp></p:sld>`
  return zipOf({
    'ppt/presentation.xml': '<p:presentation/>',
    'ppt/slides/slide10.xml': slide('Last', 'honey'),
    'ppt/slides/slide2.xml': slide('First', 'nectar'),
    'ppt/slides/_rels/slide2.xml.rels': rels('http://b.example/nectar'),
  })
}

export function odtOf(kind = 'text'): Buffer {
  return zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'meta.xml':
      '<office:meta><dc:title>Bees in German</dc:title><dc:language>de-AT</dc:language></office:meta>',
    'content.xml': `<office:document-content><office:automatic-styles>no</office:automatic-styles><office:body><office:text>
      <text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h>Bienen</text:h>
      <text:p>Die Bienen<text:s/>fliegen. <text:a xlink:href="http://b.example/honig">Honig</text:a></text:p>
      <table:table><table:table-row><table:table-cell><text:p>Beine</text:p></table:table-cell><table:table-cell><text:p>sechs</text:p></table:table-cell></table:table-row></table:table>
      </office:text></office:body></office:document-content>`,
  })
}

export function epubOf(): Buffer {
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf': `<package><metadata><dc:title>A book of bees</dc:title></metadata><manifest>
      <item id="b" href="two.xhtml"/><item id="a" href="one%20.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`,
    'OPS/one .xhtml':
      '<html><body><h1>One</h1><p>First <a href="two.xhtml">on</a></p></body></html>',
    'OPS/two.xhtml': '<html><body><p>Second <a href="http://b.example/x">out</a></p></body></html>',
  })
}

/** A PDF whose objects are as given, from number 1; the first is its catalog. */
export function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let at = parts[0].length
  for (const [i, content] of objects.entries()) {
    places.push(at)
    const object = Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n`),
      Buffer.from(content),
      Buffer.from('\nendobj\n'),
    ])
    parts.push(object)
    at += object.length
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R/Info ${size - 1} 0 R>>\nstartxref\n${at}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

/** A stream of a PDF, packed. */
export function pdfStream(content: string | Buffer, more = ''): Buffer {
  const packed = deflateSync(Buffer.from(content))
  return Buffer.concat([
    Buffer.from(`<</Length ${packed.length}/Filter/FlateDecode${more}>>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ])
}

/** A PDF of pages, each of some lines, of which the first is large on the first page; with a link. */
export function plainPdf(pages: readonly (readonly string[])[]): Buffer {
  const first = 5
  const kids = pages.map((_, i) => `${first + 2 * i} 0 R`).join(' ')
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R/Lang(en-GB)>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://b.example/hive)>>>>',
    ...pages.flatMap((lines, i) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents ${first + 2 * i + 1} 0 R/Annots[4 0 R]/Resources<</Font<</F 3 0 R>>>>>>`,
      pdfStream(linesOf(lines, i === 0)),
    ]),
    "<</Title(Bees in a PDF)/Author(Ada)/CreationDate(D:20240203040506+01'00')>>",
  ])
}

function linesOf(lines: readonly string[], isFirst: boolean): string {
  const shown = lines.map((line, i) => {
    const size = isFirst && i === 0 ? 24 : 10
    return `BT /F ${size} Tf 50 ${750 - 13 * i - (i > 0 ? 20 : 0)} Td (${line}) Tj ET`
  })
  return shown.join('\n')
}
