import { describe, expect, test } from 'vitest'
import type { ParsedPage } from '#parse/page/page.ts'
import { docxOf, epubOf, odtOf, plainPdf, pptxOf, xlsxOf, zipOf } from './documents.test-kit.ts'
import { readDocument } from './read-document.ts'

const URL = 'http://a.example/files/bees.bin'

async function read(body: Uint8Array): Promise<ParsedPage> {
  const document = await readDocument({ body, url: URL })
  if ('fault' in document) throw new Error(document.fault)
  return document.page
}

describe('office documents', () => {
  test('a document of Word has paragraphs, rows and links', async () => {
    expect(await read(docxOf())).toMatchObject({
      form: 'page',
      format: 'docx',
      title: 'The way of bees',
      language: 'en',
      text: 'Bees\nBees visit the flowers of the garden, and they carry what they find there to the hive. See the hive.\nlegs six',
      links: [{ url: 'http://a.example/files/hive.html', anchor: 'the hive', rel: 0 }],
      data: { author: 'Ada & Bo', published: 1706933106 },
    })
  })

  test('a workbook has a line for each row, below the names of sheets', async () => {
    expect(await read(xlsxOf())).toMatchObject({
      format: 'xlsx',
      text: 'Hives\nQueen 1\nWorker many',
      links: [{ url: 'http://b.example/bees', anchor: 'bees' }],
    })
  })

  test('slides come in their order, without their numbers', async () => {
    expect(await read(pptxOf())).toMatchObject({
      format: 'pptx',
      title: 'First',
      text: 'First\nnectar\nLast\nhoney',
      links: [{ url: 'http://b.example/nectar', anchor: 'nectar' }],
    })
  })

  test.each([
    ['text', 'odt'],
    ['spreadsheet', 'ods'],
    ['presentation', 'odp'],
  ])('an OpenDocument %s is read, without what was deleted', async (kind, format) => {
    expect(await read(odtOf(kind))).toMatchObject({
      format,
      title: 'Bees in German',
      language: 'de-at',
      text: 'Bienen\nDie Bienen fliegen. Honig\nBeine sechs',
      links: [{ url: 'http://b.example/honig', anchor: 'Honig' }],
    })
  })

  test('a book has its chapters in order, and links that lead out of it', async () => {
    expect(await read(epubOf())).toMatchObject({
      format: 'epub',
      title: 'A book of bees',
      text: 'One\nFirst on\nSecond out',
      links: [{ url: 'http://b.example/x', anchor: 'out' }],
    })
  })

  test('an archive whose end was cut off is read as far as it goes', async () => {
    const whole = docxOf()
    const { text } = await read(whole.subarray(0, whole.length - 300))
    expect(text).toMatch(/^Bees\nBees visit/)
  })

  test('an archive of anything else is no document', async () => {
    const document = await readDocument({ body: zipOf({ 'a.txt': 'x' }), url: URL })
    expect(document).toEqual({ fault: 'a ZIP archive that is no document' })
  })
})

describe('RTF', () => {
  const rtf = (text: string) => read(Buffer.from(text, 'latin1'))

  test('has text, properties and links', async () => {
    const page = await rtf(
      String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}{\info{\title On bees}{\author Ada}}{\*\generator x}\f0 One\par caf\u233?\'e4 {\b bold}\line {\field{\*\fldinst{HYPERLINK "http://b.example/x"}}{\fldrslt{out}}} end\}}`,
    )
    expect(page).toMatchObject({
      format: 'rtf',
      title: 'On bees',
      text: 'One\ncaféд bold\nout end}',
      links: [{ url: 'http://b.example/x', anchor: 'out' }],
      data: { author: 'Ada' },
    })
  })
})

describe('PDF', () => {
  test('has paragraphs, links, and what it says of itself', async () => {
    const page = await read(plainPdf([['Bees', 'The bees visit the flow-', 'ers of the garden.']]))
    expect(page).toMatchObject({
      form: 'page',
      format: 'pdf',
      title: 'Bees in a PDF',
      text: 'Bees\nThe bees visit the flowers of the garden.',
      links: [{ url: 'http://b.example/hive', anchor: '' }],
      data: { author: 'Ada', published: 1706929506 },
    })
    expect(page.language ?? page.declaredLanguage).toBe('en-gb')
  })

  test('running heads and page numbers are aside', async () => {
    const texts = ['one thing', 'another matter', 'the third', 'and a last one']
    const pages = texts.map((text, i) => ['A manual of bees', `There is ${text}.`, `Page ${i + 1}`])
    const { text, asides = [] } = await read(plainPdf(pages))
    const lines = text.split('\n')
    const aside = lines.filter((_, line) =>
      asides.some((end, run) => run % 2 === 1 && line >= asides[run - 1] && line < end),
    )
    expect(aside).toContain('A manual of bees')
    expect(aside).not.toContain('There is the third.')
  })

  test('one that was cut off is read as far as it goes', async () => {
    const whole = plainPdf([['Bees', 'first page'], ['second page']])
    const { text } = await read(whole.subarray(0, whole.length - 500))
    expect(text).toContain('first page')
  })

  test('bytes that only begin like one are broken', async () => {
    const document = await readDocument({ body: Buffer.from('%PDF-1.4 and no more'), url: URL })
    expect(document).toEqual({ fault: expect.stringMatching(/^broken: /) })
  })
})
