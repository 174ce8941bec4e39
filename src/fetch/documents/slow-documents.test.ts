import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DOCUMENT_FORMATS } from '#parse/page/document-format.ts'
import { DocumentReader, type OneReader } from './document-reader.ts'
import { docxOf, pdfOf, pdfStream } from './documents.test-kit.ts'
import type { ReadDocument } from './read-document.ts'

const OPTIONS = { formats: DOCUMENT_FORMATS, mostMs: 20_000, mostBytes: 1 << 26 }
const LIMITS = { quickMs: 2_000, most: 2, mostBytes: 100 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Takes as many seconds for a document as its path says; 99 end it at once. */
class ClockedReader implements OneReader {
  isThere = false
  #ended = Promise.withResolvers<ReadDocument>()

  read({ url }: { readonly url: string }) {
    this.isThere = true
    this.#ended = Promise.withResolvers()
    const seconds = Number(new URL(url).pathname.slice(1))
    if (seconds === 99) this.end()
    const done = Promise.withResolvers<ReadDocument>()
    setTimeout(() => done.resolve({ fault: 'read' }), 1000 * seconds)
    return { answer: Promise.race([done.promise, this.#ended.promise]), begun: Promise.resolve() }
  }

  end(): void {
    this.isThere = false
    this.#ended.resolve({ fault: 'ended' })
  }
}

/** A reader of which each document tells when it was read, or why not, in seconds from the beginning. */
function clocked() {
  const reader = new DocumentReader(OPTIONS, LIMITS, () => new ClockedReader())
  const startedAt = Date.now()
  const told: Record<string, string> = {}
  const ask = (name: string, bytes = 1) => {
    const document = { url: `http://${name}`, body: new Uint8Array(bytes) }
    void reader.read(document).then((read) => {
      const fault = read && 'fault' in read ? read.fault : 'nothing'
      told[name] = `${fault} at ${(Date.now() - startedAt) / 1000}`
    })
  }
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(1000 * seconds)
  return { ask, pass, told }
}

test('a slow document is waited for by others only until it is known to be slow', async () => {
  const { ask, pass, told } = clocked()
  for (const name of ['slow.example/15', 'quick.example/1', 'other.example/1']) ask(name)
  await pass(30)
  expect(told).toEqual({
    'quick.example/1': 'read at 3',
    'other.example/1': 'read at 4',
    'slow.example/15': 'read at 15',
  })
})

test('what a slow domain sends next holds up nobody else at all', async () => {
  const { ask, pass, told } = clocked()
  ask('slow.example/15')
  await pass(15)
  for (const name of ['www.slow.example/15', 'quick.example/1']) ask(name)
  await pass(1)
  expect(told['quick.example/1']).toBe('read at 16')
  await pass(30)
  expect(told['www.slow.example/15']).toBe('read at 30')
})

test('whoever is set aside while another is waits for that one, and has its whole time then', async () => {
  const { ask, pass, told } = clocked()
  for (const name of ['a.example/15', 'b.example/15', 'c.example/1']) ask(name)
  await pass(60)
  expect(told).toEqual({
    'c.example/1': 'read at 5',
    'a.example/15': 'read at 15',
    'b.example/15': 'read at 30',
  })
})

test('a document has no more time than its limit, in whatever way it passes', async () => {
  const { ask, pass, told } = clocked()
  for (const name of ['a.example/50', 'b.example/50']) ask(name)
  await pass(60)
  expect(told).toEqual({
    'a.example/50': 'not read within 20 s at 20',
    'b.example/50': 'not read within 20 s at 40',
  })
})

test('a domain that is quick again is waited for as others are', async () => {
  const { ask, pass, told } = clocked()
  ask('slow.example/10')
  await pass(10)
  ask('slow.example/1')
  await pass(1)
  for (const name of ['worse.example/15', 'slow.example/3']) ask(name)
  await pass(60)
  expect(told['slow.example/3']).toBe('read at 29') // tried at 13, and set aside at 15
})

test('a document that ends its reader makes its domain a slow one', async () => {
  const { ask, pass, told } = clocked()
  ask('deadly.example/99')
  await pass(0)
  for (const name of ['deadly.example/15', 'quick.example/1']) ask(name)
  await pass(60)
  expect(told['quick.example/1']).toBe('read at 1')
})

test('no more is kept waiting aside than there is room for', async () => {
  const { ask, pass, told } = clocked()
  for (const name of ['a.example/15', 'b.example/15', 'c.example/15']) ask(name)
  await pass(6)
  expect(told['c.example/15']).toBe('takes long to read, as too many do at 6')
  await pass(60)
  expect(told['b.example/15']).toBe('read at 30')
  ask('a.example/10', 1_000) // alone, it always may
  ask('b.example/10', 1_000)
  await pass(0)
  expect(told['b.example/10']).toContain('too many')
  await pass(60)
  expect(told['a.example/10']).toContain('read at')
})

test('the process of a slow document goes on with it, and others have another', async () => {
  vi.useRealTimers()
  const letters = pdfStream(`BT /F 9 Tf ${'1 0 0 1 3 3 Tm (x) Tj '.repeat(100_000)} ET`)
  const page =
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>'
  const slow = pdfOf([
    ...['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[3 0 R]>>', page, letters],
    ...['<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>', '<<>>'],
  ])
  await using reader = closing(
    new DocumentReader(
      { ...OPTIONS, mostMs: 60_000, mostBytes: 1 << 28 },
      { ...LIMITS, quickMs: 1, mostBytes: 1 << 28 },
    ),
  )
  const [aside, quick] = await Promise.all([
    reader.read({ url: 'http://a.example/', body: slow }),
    reader.read({ url: 'http://b.example/', body: docxOf() }),
  ])
  expect(aside).toMatchObject({ page: { format: 'pdf' } })
  expect(quick).toMatchObject({ page: { format: 'docx' } })
})

function closing(reader: DocumentReader) {
  return Object.assign(reader, { [Symbol.asyncDispose]: () => reader.close() })
}
