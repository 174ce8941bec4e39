import { hash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { CDXIndexer } from 'warcio'
import { temporaryFolder } from '../../temporary-folder.test-kit.ts'
import { readCdxjLine } from '../cdxj.ts'
import { base32, sha1Digest } from '../digest.ts'
import {
  exchangeOf,
  NOON,
  openWriter,
  parseWithWarcio,
  readWithWarcio,
  warcNames,
} from '../warc.test-kit.ts'

const HOME = 'https://a.example/'

async function written(
  write: (writer: Awaited<ReturnType<typeof openWriter>>) => void,
  options = {},
) {
  const dir = temporaryFolder()
  const writer = await openWriter(dir, options)
  write(writer)
  await writer.close()
  return { dir, path: join(dir, warcNames(dir)[0]) }
}

const field = (seen: { record: { warcHeader(name: string): unknown } }, name: string) =>
  seen.record.warcHeader(name) ?? undefined

describe('a WARC file, as warcio reads it', () => {
  test('opens with warcinfo, then has response, request and metadata of each exchange', async () => {
    const { path } = await written((writer) =>
      writer.append(exchangeOf('<p>Hello'), {
        url: HOME,
        purpose: 'acquire',
        gain: 0.5,
        fetchTimeMs: 12.4,
      }),
    )
    const [info, response, request, metadata, ...rest] = await readWithWarcio(path)
    expect(rest).toEqual([])
    expect(path).toMatch(/\/forager-20261115120000-00001\.warc\.gz$/)
    expect(info.type).toBe('warcinfo')
    expect(info.payload.toString()).toContain('software: forager/test\r\n')
    expect(info.payload.toString()).toContain('http-header-from: me@example.org')
    expect(response).toMatchObject({ type: 'response', url: HOME })
    expect(response.content.toString()).toBe('<p>Hello')
    expect(response.record.warcDate).toBe('2026-11-15T12:00:00Z')
    expect(response.record.warcContentType).toBe('application/http; msgtype=response')
    expect(field(response, 'WARC-IP-Address')).toBe('192.0.2.7')
    expect(response.record.httpHeaders?.statusCode).toBe(200)
    expect(request).toMatchObject({ type: 'request', url: HOME })
    expect(request.record.httpHeaders?.method).toBe('GET')
    expect(request.record.httpHeaders?.headers.get('user-agent')).toBe('forager/1')
    expect(metadata.payload.toString()).toBe(
      'fetchTimeMs: 12\r\npurpose: acquire\r\npredictedGain: 0.5\r\n',
    )
    const id = field(response, 'WARC-Record-ID')
    for (const other of [request, metadata]) expect(field(other, 'WARC-Concurrent-To')).toBe(id)
    for (const { record } of [response, request, metadata])
      expect(record.warcHeader('WARC-Warcinfo-ID')).toBe(field(info, 'WARC-Record-ID'))
  })

  test('carries a digest of every payload, and of every block that has none', async () => {
    const body = gzipSync('<p>'.padEnd(5000, 'packed '))
    const { path } = await written((writer) => {
      writer.append(exchangeOf('<p>Grüße'), { url: HOME, isSeed: true })
      const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nX: \u00fc\r\n\r\n'
      writer.append(exchangeOf(body, { head }), { url: `${HOME}packed` })
    })
    const bytes = readFileSync(path)
    const seen = await readWithWarcio(path)
    for (const { record, type, offset, length, payload } of seen) {
      const raw = gunzipSync(bytes.subarray(offset, offset + length))
      const block = raw.subarray(raw.indexOf('\r\n\r\n') + 4, -4)
      expect(record.warcContentLength).toBe(block.length)
      if (type === 'response') expect(record.warcPayloadDigest).toBe(sha1Digest(payload))
      else expect(record.warcBlockDigest).toBe(sha1Digest(block))
    }
    const packed = seen.find(({ url, type }) => url === `${HOME}packed` && type === 'response')!
    expect(packed.payload).toEqual(body)
    expect(packed.content.toString()).toMatch(/^<p>packed packed/)
  })

  test('does not promise chunks that were taken off', async () => {
    const head =
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nContent-Length: 99\r\nETag: "1"\r\n\r\n'
    const { path } = await written((writer) =>
      writer.append(exchangeOf('3\r\nabc', { head }), { url: HOME }),
    )
    const [, response] = await readWithWarcio(path)
    const headers = response.record.httpHeaders!.headers
    expect(response.content.toString()).toBe('3\r\nabc')
    expect(headers.get('transfer-encoding')).toBeNull()
    expect(headers.get('x-archive-orig-transfer-encoding')).toBe('chunked')
    expect(headers.get('content-length')).toBe('6')
    expect(headers.get('etag')).toBe('"1"')
  })

  test('says when a body is not whole, and writes HTTP/2 in words that readers know', async () => {
    const { path } = await written((writer) =>
      writer.append(
        exchangeOf('half', {
          head: 'HTTP/2 200\r\ncontent-type: text/html\r\n\r\n',
          requestHead: 'GET / HTTP/2\r\nhost: a.example\r\n\r\n',
          truncated: 'length',
        }),
        { url: HOME },
      ),
    )
    const [, response, request] = await readWithWarcio(path)
    expect(field(response, 'WARC-Truncated')).toBe('length')
    expect(field(response, 'WARC-Protocol')).toBe('h2')
    expect(response.record.httpHeaders?.statusline).toBe('HTTP/1.1 200')
    expect(request.record.httpHeaders?.statusline).toBe('GET / HTTP/1.1')
  })

  test('keeps no password or cookie, and lets no URL break into its fields', async () => {
    const requestHead =
      'GET / HTTP/1.1\r\nAuthorization: Basic c2VjcmV0\r\nCookie: id=secret\r\nAccept: */*\r\n\r\n'
    const { path } = await written((writer) =>
      writer.append(exchangeOf('x', { requestHead }), {
        url: 'https://a.example/\r\nWARC-Type: warcinfo',
        purpose: 'acquire\r\nseed: no',
      }),
    )
    const [, response, request, metadata] = await readWithWarcio(path)
    expect(request.record.httpHeaders?.headers.get('authorization')).toBe('[removed]')
    expect(request.record.httpHeaders?.headers.get('cookie')).toBe('[removed]')
    expect(request.record.httpHeaders?.headers.get('accept')).toBe('*/*')
    expect(response.url).toBe('https://a.example/%0D%0AWARC-Type:%20warcinfo')
    expect(metadata.payload.toString()).toBe('purpose: acquire seed: no\r\n')
  })
})

describe('an answer that is on file already', () => {
  const NOT_MODIFIED = 'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n'

  test('becomes a revisit that refers to the first', async () => {
    const { path } = await written((writer) => {
      writer.append(exchangeOf('same'), { url: HOME })
      writer.append(exchangeOf('same'), { url: `${HOME}other` })
      writer.append(exchangeOf('same', { startedAt: NOON + 60 }), { url: HOME })
      writer.append(exchangeOf('', { head: NOT_MODIFIED, startedAt: NOON + 90 }), { url: HOME })
      writer.append(exchangeOf('new', { startedAt: NOON + 120 }), { url: HOME })
    })
    const seen = (await readWithWarcio(path)).filter(({ type }) => /response|revisit/.test(type))
    expect(seen.map(({ type }) => type)).toEqual([
      'response',
      'response',
      'revisit',
      'revisit',
      'response',
    ])
    const [first, , identical, notModified] = seen
    for (const revisit of [identical, notModified]) {
      expect(field(revisit, 'WARC-Refers-To')).toBe(field(first, 'WARC-Record-ID'))
      expect(revisit.record.warcRefersToTargetURI).toBe(HOME)
      expect(revisit.record.warcRefersToDate).toBe('2026-11-15T12:00:00Z')
      expect(revisit.record.warcPayloadDigest).toBe(first.record.warcPayloadDigest)
      expect(revisit.payload.length).toBe(0)
    }
    expect(field(identical, 'WARC-Profile')).toMatch(/\/1\.1\/revisit\/identical-payload-digest$/)
    expect(identical.record.httpHeaders?.statusCode).toBe(200)
    expect(field(notModified, 'WARC-Profile')).toMatch(/\/1\.1\/revisit\/server-not-modified$/)
    expect(notModified.record.httpHeaders?.statusCode).toBe(304)
  })

  test('is known after a restart, with or without the index', async () => {
    const dir = temporaryFolder()
    const first = await openWriter(dir)
    first.append(exchangeOf('same'), { url: HOME })
    await first.close()
    for (const round of [1, 2]) {
      const again = await openWriter(dir, { newId: () => crypto.randomUUID() })
      again.append(exchangeOf('same', { startedAt: NOON + round }), { url: HOME })
      await again.close()
      if (round === 1) writeFileSync(join(dir, 'index.cdxj'), '')
    }
    const seen = await readWithWarcio(join(dir, warcNames(dir)[0]))
    const revisits = seen.filter(({ type }) => type === 'revisit')
    expect(revisits).toHaveLength(2)
    const [response] = seen.filter(({ type }) => type === 'response')
    for (const revisit of revisits)
      expect(field(revisit, 'WARC-Refers-To')).toBe(field(response, 'WARC-Record-ID'))
  })

  test('is kept whole when the first was an error page or was cut off', async () => {
    const { path } = await written((writer) => {
      writer.append(exchangeOf('oops', { head: 'HTTP/1.1 500 Oh\r\n\r\n' }), { url: HOME })
      writer.append(exchangeOf('', { head: NOT_MODIFIED }), { url: HOME })
      writer.append(exchangeOf('cut', { truncated: 'time' }), { url: HOME })
      writer.append(exchangeOf('cut'), { url: HOME })
      writer.append(exchangeOf('cut', { truncated: 'length' }), { url: HOME })
    })
    const types = (await readWithWarcio(path)).map(({ type }) => type)
    expect(types).not.toContain('revisit')
  })
})

describe('a folder of WARC files', () => {
  test('starts a new file, with its own warcinfo, when one is full', async () => {
    const dir = temporaryFolder()
    const writer = await openWriter(dir, { rolloverBytes: 3000 })
    const places = Array.from({ length: 12 }, (_, i) =>
      writer.append(exchangeOf(`page ${i} ${crypto.randomUUID()}`), { url: `${HOME}${i}` }),
    )
    await writer.close()
    const names = warcNames(dir)
    expect(names.length).toBeGreaterThan(2)
    expect(new Set(places.map(({ file }) => file))).toEqual(new Set(names))
    for (const name of names) {
      const [info, ...rest] = await readWithWarcio(join(dir, name))
      expect(info.type).toBe('warcinfo')
      expect(field(info, 'WARC-Filename')).toBe(name)
      expect(rest.length).toBeGreaterThan(0)
      expect(statSync(join(dir, name)).size).toBeLessThan(6000)
    }
  })

  test('goes on in its newest file, and after that is full in the next', async () => {
    const dir = temporaryFolder()
    for (const [round, rolloverBytes] of [1e9, 1e9, 100].entries()) {
      const writer = await openWriter(dir, { rolloverBytes })
      writer.append(exchangeOf(`round ${round}`), { url: `${HOME}${round}` })
      await writer.close()
    }
    expect(warcNames(dir).map((name) => name.slice(-13, -8))).toEqual(['00001', '00002'])
    const [first] = await Promise.all(warcNames(dir).map((name) => readWithWarcio(join(dir, name))))
    expect(first.filter(({ type }) => type === 'response')).toHaveLength(2)
  })

  test('is empty as long as nothing was fetched', async () => {
    const dir = temporaryFolder()
    await (await openWriter(dir)).close()
    expect(readdirSync(dir)).toEqual([])
  })

  test('has an index, sorted, whose places hold the records it names', async () => {
    const dir = temporaryFolder()
    const writer = await openWriter(dir, { rolloverBytes: 4000 })
    const places = ['z', 'b?y=1&x=2', 'a', 'B', 'a'].map((path, i) =>
      writer.append(exchangeOf(`${path}${i}`, { startedAt: NOON + i }), { url: HOME + path }),
    )
    await writer.close()
    const lines = readFileSync(join(dir, 'index.cdxj'), 'latin1').trimEnd().split('\n')
    expect(lines).toEqual([...lines].sort())
    expect(lines.map((line) => line.slice(0, line.indexOf('{')))).toEqual([
      'example,a)/a 20261115120002 ',
      'example,a)/a 20261115120004 ',
      'example,a)/b 20261115120003 ',
      'example,a)/b?x=2&y=1 20261115120001 ',
      'example,a)/z 20261115120000 ',
    ])
    const entries = lines.map((line) => readCdxjLine(line)!)
    expect(new Set(entries.map(({ filename, offset }) => `${filename} ${offset}`))).toEqual(
      new Set(places.map(({ file, offset }) => `${file} ${offset}`)),
    )
    for (const { filename, offset, length, url, digest } of entries) {
      const bytes = readFileSync(join(dir, filename)).subarray(offset, offset + length)
      const [only, ...rest] = await parseWithWarcio(bytes)
      expect(rest).toEqual([])
      expect(only).toMatchObject({ type: 'response', url })
      expect(only.record.warcPayloadDigest).toBe(digest)
    }
  })

  test('has the index that warcio makes of its files', async () => {
    const { dir, path } = await written((writer) => {
      writer.append(exchangeOf('one'), { url: 'https://www.A.example/One?b=1&a=%20' })
      writer.append(exchangeOf('two'), { url: 'http://a.example:8080/two' })
      writer.append(exchangeOf('two'), { url: 'http://a.example:8080/two' })
    })
    const ours = readFileSync(join(dir, 'index.cdxj'), 'utf8').trimEnd().split('\n')
    const indexer = new CDXIndexer({ format: 'cdxj' })
    const theirs: string[] = []
    for await (const row of indexer.iterIndex([
      { filename: warcNames(dir)[0], reader: [readFileSync(path)] as never },
    ]))
      theirs.push(indexer.serialize(row).trimEnd())
    const comparable = (lines: string[]) =>
      lines
        .map((line) => {
          const { record: _, ...fields } = JSON.parse(line.slice(line.indexOf('{')))
          return { key: line.slice(0, line.indexOf('{')), ...fields }
        })
        .sort((a, b) => (a.key + a.offset < b.key + b.offset ? -1 : 1))
    expect(comparable(ours)).toEqual(comparable(theirs))
  })

  test('keeps exchanges in the order they were handed over', async () => {
    const { path } = await written((writer) => {
      const [slow, fast] = [
        exchangeOf('slow', { startedAt: NOON }),
        exchangeOf('fast', { startedAt: NOON + 1 }),
      ]
      writer.append(fast, { url: `${HOME}fast`, purpose: 'acquire' })
      writer.append(slow, { url: `${HOME}slow`, purpose: 'acquire' })
    })
    const seen = (await readWithWarcio(path)).slice(1)
    expect(seen.map(({ type, url }) => `${type} ${url?.slice(HOME.length)}`)).toEqual([
      'response fast',
      'request fast',
      'metadata fast',
      'response slow',
      'request slow',
      'metadata slow',
    ])
  })

  test('ignores files of other names', async () => {
    const dir = temporaryFolder()
    appendFileSync(join(dir, 'notes.txt'), 'mine')
    appendFileSync(join(dir, 'other-20260101000000-00009.warc.gz'), 'not mine')
    const writer = await openWriter(dir)
    expect(writer.append(exchangeOf('x'), { url: HOME }).file).toMatch(/^forager-\d{14}-00001/)
    await writer.close()
  })
})

test('base 32 is that of RFC 4648', () => {
  for (const [text, encoded] of [
    ['', ''],
    ['fooba', 'MZXW6YTB'],
    ['foo', 'MZXW6'],
  ])
    expect(base32(Buffer.from(text))).toBe(encoded)
  expect(sha1Digest(Buffer.alloc(0))).toBe('sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ')
  expect(base32(hash('sha1', 'x', 'buffer'))).toHaveLength(32)
})
