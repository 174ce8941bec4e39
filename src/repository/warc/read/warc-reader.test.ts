import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WARCRecord, WARCSerializer } from 'warcio'
import { SettingError } from '#errors/setting-error.ts'
import { temporaryFolder } from '../../temporary-folder.test-kit.ts'
import { readHttpMessage } from './http-message.ts'
import { type ReadWarcOptions, readWarc, type WarcDamage, type WarcRecord } from './warc-reader.ts'

const record = (uri: string, block: string, more = '') =>
  Buffer.from(
    `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${uri}\r\n${more}Content-Length: ${Buffer.byteLength(block)}\r\n\r\n${block}\r\n\r\n`,
  )

async function readAll(content: Buffer, options: ReadWarcOptions = {}, name = 'x.warc') {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  const records: WarcRecord[] = []
  for await (const read of readWarc(path, options)) records.push(read)
  return records
}

async function readDamaged(content: Buffer) {
  const damages: WarcDamage[] = []
  const records = await readAll(content, { onDamage: (damage) => damages.push(damage) })
  return { damages, records, urls: records.map(urlOf) }
}

const urlOf = ({ fields }: WarcRecord) => fields.get('warc-target-uri')

describe('the reader takes WARC files of any make', () => {
  const three = ['http://a.example/', 'http://b.example/', 'http://c.example/'].map((url, i) =>
    record(url, `block ${i}`),
  )
  const shapes = {
    plain: Buffer.concat(three),
    'a gzip member each': Buffer.concat(three.map((one) => gzipSync(one))),
    'one gzip member for all': gzipSync(Buffer.concat(three)),
  }
  test.each(Object.entries(shapes))('%s', async (_, bytes) => {
    const records = await readAll(bytes)
    expect(records.map(urlOf)).toEqual([
      'http://a.example/',
      'http://b.example/',
      'http://c.example/',
    ])
    expect(records.map(({ block }) => block.toString())).toEqual(['block 0', 'block 1', 'block 2'])
  })

  test('tells where each record lies', async () => {
    for (const parts of [three, three.map((one) => gzipSync(one))]) {
      const places = (await readAll(Buffer.concat(parts))).map(({ offset, length }) => [
        offset,
        length,
      ])
      const [a, b, c] = parts.map(({ length }) => length)
      expect(places).toEqual([
        [0, a],
        [a, b],
        [a + b, c],
      ])
      const [last] = await readAll(Buffer.concat(parts), { from: a + b })
      expect(urlOf(last)).toBe('http://c.example/')
    }
  })

  test('bare line feeds, blank lines between, folded fields and wget brackets', async () => {
    const bytes = Buffer.from(
      '\nWARC/1.0\nwarc-type: Response\nWARC-Target-URI: <http://a.example/>\nX-Long: one\n two\ncontent-length: 3\n\nabc\n\n\n\nWARC/1.1\nWARC-Type: metadata\nContent-Length: 0\n\n',
    )
    const [first, second] = await readAll(bytes)
    expect(first).toMatchObject({ type: 'response', blockBytes: 3 })
    expect(urlOf(first)).toBe('http://a.example/')
    expect(first.fields.get('x-long')).toBe('one two')
    expect(second).toMatchObject({ type: 'metadata', blockBytes: 0 })
  })

  test('what warcio writes', async () => {
    const parts = await Promise.all(
      [true, false].flatMap((gzip) =>
        ['http://a.example/', 'http://b.example/'].map(async (url) => {
          const made = WARCRecord.create(
            { url, type: 'response', httpHeaders: { 'content-type': 'text/html' } },
            (async function* () {
              yield new TextEncoder().encode(`<p>${url}`)
            })(),
          )
          return { gzip, bytes: Buffer.from(await WARCSerializer.serialize(made, { gzip })) }
        }),
      ),
    )
    for (const gzip of [true, false]) {
      const bytes = Buffer.concat(parts.filter((part) => part.gzip === gzip).map((p) => p.bytes))
      const records = await readAll(bytes)
      expect(records.map(({ block }) => readHttpMessage(block)?.body.toString())).toEqual([
        '<p>http://a.example/',
        '<p>http://b.example/',
      ])
    }
  })

  test('blocks beyond the limit are cut, unwanted ones left out, large ones streamed', async () => {
    const large = 'x'.repeat(20_000_000)
    const bytes = Buffer.concat(
      [record('http://a.example/', large), record('http://b.example/', 'small')].map((one) =>
        gzipSync(one, { level: 1 }),
      ),
    )
    const [first, second] = await readAll(bytes, { maxBlockBytes: 1000 })
    expect(first).toMatchObject({ blockBytes: large.length })
    expect(first.block).toHaveLength(1000)
    expect(second.block.toString()).toBe('small')
    const none = await readAll(bytes, { blocksOf: new Set(['request']) })
    expect(none.map(({ block }) => block.length)).toEqual([0, 0])
  })

  test('members of every size come out as they went in', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 700_000 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.constantFrom(0, 1), async (lengths, level) => {
        const blocks = lengths.map((length, i) => String(i).repeat(length))
        const parts = blocks.map((block) => gzipSync(record('http://a.example/', block), { level }))
        const records = await readAll(Buffer.concat(parts))
        expect(records.map(({ block }) => block.toString() === blocks.shift())).toEqual(
          lengths.map(() => true),
        )
        expect(records.map(({ length }) => length)).toEqual(parts.map(({ length }) => length))
      }),
      { numRuns: 15 },
    )
  })
})

describe('damage', () => {
  const [a, b, c] = ['http://a.example/', 'http://b.example/', 'http://c.example/'].map((url) =>
    gzipSync(record(url, 'some words of a block '.repeat(20))),
  )

  test('in one member is reported, and the next is read', async () => {
    for (let at = 0; at < b.length; at++) {
      const broken = Buffer.from(b)
      broken[at] ^= 0xff
      const { urls, damages } = await readDamaged(Buffer.concat([a, broken, c]))
      expect(urls[0]).toBe('http://a.example/')
      expect(urls.at(-1)).toBe('http://c.example/')
      // Time, level and system in a gzip header carry no meaning: damage there harms nothing.
      if (at >= 4 && at < 10) expect(urls).toHaveLength(3)
      else {
        expect(urls, `byte ${at}`).toHaveLength(2)
        expect(damages).toMatchObject([{ offset: a.length, isTail: false }])
      }
    }
  })

  test('in the first bytes of a gzipped file costs its first record only', async () => {
    for (let at = 0; at < 4; at++) {
      const broken = Buffer.from(a)
      broken[at] ^= 0xff
      const damages: WarcDamage[] = []
      const onDamage = (damage: WarcDamage) => damages.push(damage)
      const records = await readAll(Buffer.concat([broken, b, c]), { onDamage }, 'x.warc.gz')
      expect(records.map(urlOf)).toEqual(['http://b.example/', 'http://c.example/'])
      expect(damages).toMatchObject([{ offset: 0, isTail: false }])
    }
  })

  test('at the end is told from damage within: the tail of a killed writer', async () => {
    for (let cut = 1; cut < b.length; cut++) {
      const { urls, damages } = await readDamaged(Buffer.concat([a, b.subarray(0, cut)]))
      expect(urls).toEqual(['http://a.example/'])
      expect(damages).toMatchObject([{ offset: a.length, isTail: true }])
    }
  })

  test('in a plain file ends with the next record', async () => {
    const [first, second] = [record('http://a.example/', 'one'), record('http://c.example/', 'two')]
    const broken = Buffer.from(
      'WARC/1.0\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\nx\r\n',
    )
    const { urls, damages } = await readDamaged(Buffer.concat([first, broken, second]))
    expect(urls).toEqual(['http://a.example/', 'http://c.example/'])
    expect(damages).toMatchObject([{ offset: first.length, reason: 'no valid Content-Length' }])
    const cut = await readDamaged(Buffer.concat([first, second.subarray(0, -8)]))
    expect(cut.urls).toEqual(['http://a.example/'])
    expect(cut.damages).toMatchObject([{ offset: first.length, isTail: true }])
  })

  test('that nobody listens for is an error naming file and place', async () => {
    const cut = readAll(Buffer.concat([a, b.subarray(0, 20)]))
    await expect(cut).rejects.toThrow(SettingError)
    await expect(cut).rejects.toThrow(`x.warc, record at byte ${a.length}: the file ends within it`)
    await expect(readAll(Buffer.from('<html>'))).rejects.toThrow(
      /byte 0: no WARC record.*WARC file/,
    )
    await expect(readAll(gzipSync('text\n'))).rejects.toThrow(/is it a WARC file\?/)
    const missing = readWarc(join(temporaryFolder(), 'none.warc')).next()
    await expect(missing).rejects.toThrow(/none\.warc: no such file/)
  })

  test('of any kind ends in records and reports, never in a hang or a crash', async () => {
    const good = Buffer.concat([a, b, c])
    const edit = fc.record({
      at: fc.integer({ min: 0, max: good.length - 1 }),
      bytes: fc.uint8Array({ maxLength: 40 }),
      drop: fc.integer({ min: 0, max: 200 }),
    })
    await fc.assert(
      fc.asyncProperty(edit, async ({ at, bytes, drop }) => {
        const parts = [good.subarray(0, at), bytes, good.subarray(at + drop)]
        await readDamaged(Buffer.concat(parts)).catch((error) => {
          expect(error).toBeInstanceOf(SettingError)
        })
      }),
      { numRuns: 200 },
    )
  })
})

describe('an HTTP message in a block', () => {
  const read = (text: string) => readHttpMessage(Buffer.from(text, 'latin1'))

  test('may have bare line feeds, folded and repeated headers', () => {
    const message = read('HTTP/1.0 200 OK\nA: 1\n  2\nb: x\nB: y\nno colon\n\nbody\n')!
    expect(message.status).toBe(200)
    expect([...message.headers]).toEqual([
      ['a', '1 2'],
      ['b', 'x, y'],
    ])
    expect(message.body.toString()).toBe('body\n')
  })

  test('loses its chunks, unless somebody took them off before', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    expect(read(`${head}4\r\nabcd\r\n2;x=1\r\nef\r\n0\r\n\r\n`)?.body.toString()).toBe('abcdef')
    expect(read(`${head}4\r\nabcd\r\n9\r\nef`)?.body.toString()).toBe('abcdef')
    expect(read(`${head}<html>dead</html>\n`)?.body.toString()).toBe('<html>dead</html>\n')
  })

  test('may be a head only, or nothing at all', () => {
    expect(read('HTTP/1.1 304 Not Modified\r\nETag: "1"')).toMatchObject({ status: 304 })
    expect(read('')).toBeUndefined()
  })
})
