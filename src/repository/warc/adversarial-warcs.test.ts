import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { costMs, heldBytes, staysLinear } from '#numeric/stays-linear.test-kit.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { readHttpMessage } from './read/http-message.ts'
import { GatheredBytes } from './read/record-feed.ts'
import { storedMember } from './read/stored-member.ts'
import { readWarc } from './read/warc-reader.ts'

function record(block: string, fields = '', length = block.length): Buffer {
  const head = `WARC/1.1\r\nWARC-Type: response\r\n${fields}Content-Length: ${length}\r\n\r\n`
  return Buffer.from(`${head}${block}\r\n\r\n`)
}

const filled = (size: number, part: Buffer | string) => Buffer.alloc(size, part)
const member = gzipSync(record('x'))
const inMembersOfOneByte = (bytes: Buffer) =>
  Buffer.concat(Array.from(bytes, (byte) => storedMember(Buffer.of(byte))))
/** Begins like a record; its checksum is wrong. */
const damagedMember = Buffer.concat([
  storedMember(Buffer.from('WARC/')).subarray(0, -8),
  filled(8, '!'),
])

/** Headers whose extra fields all reach to the same packed megabytes. */
function headersBeforeOneBomb(size: number): Buffer {
  const headers = Array.from({ length: size / 12 }, (_, i) => {
    const header = Buffer.from('1f8b08040000000000030000', 'hex')
    header.writeUInt16LE(Math.min(size - 12 * (i + 1), 0xffff), 10)
    return header
  })
  return Buffer.concat([...headers, deflateRawSync(Buffer.alloc(1 << 22))])
}

// biome-ignore format: a table reads better with one line a shape
const FILES: Readonly<Record<string, (size: number) => Buffer>> = {
  'small records': (size) => filled(size, record('x')),
  'line ends': (size) => Buffer.concat([record('x'), filled(size, '\r\n')]),
  'lines that are no records': (size) => Buffer.concat([record('x'), filled(size, 'a\n')]),
  'one line that is no record': (size) => Buffer.concat([record('x'), filled(size, 'a')]),
  'fields': (size) => filled(size, record('x', 'a: b\r\n'.repeat(900))),
  'folded fields': (size) => filled(size, record('x', `a: b\r\n${' c\r\n'.repeat(900)}`)),
  'endless fields': (size) => record('x', `a: ${'b'.repeat(60_000)}\r\n`.repeat(size / 60_000)),
  'a length beyond the file': (size) => Buffer.concat([record('x', '', 9e15), filled(size, 'x')]),
  'a member that unpacks to much': (size) => gzipSync(record('x'.repeat(8 * size))),
  'empty members': (size) => Buffer.concat([member, filled(size, storedMember(Buffer.of()))]),
  'a record in members of one byte': (size) => inMembersOfOneByte(record('x'.repeat(size / 24))),
  'damaged members': (size) => Buffer.concat([member, filled(size, damagedMember)]),
  'headers of gzip': (size) => Buffer.concat([member, filled(size, Buffer.from('1f8b0800', 'hex'))]),
  'headers of gzip with endless names': (size) => Buffer.concat([member, filled(size, Buffer.from('1f8b0808', 'hex'))]),
  'headers of gzip before one bomb': (size) => Buffer.concat([member, Buffer.from('no'), headersBeforeOneBomb(size)]),
}

async function readAll(path: string): Promise<void> {
  for await (const _ of readWarc(path, { onDamage: () => {} }));
}

describe('a hostile WARC file', () => {
  test.each(Object.keys(FILES))(
    'of %s: eight times the size takes about eight times as long',
    async (name) => {
      const dir = temporaryFolder()
      const makeFile = (size: number) => {
        const path = join(dir, `${size}.warc`)
        writeFileSync(path, FILES[name](size))
        return path
      }
      await staysLinear(makeFile, readAll, { size: 24_000 })
    },
  )

  test.each([
    'damaged members',
    'headers of gzip',
    'headers of gzip with endless names',
    'headers of gzip before one bomb',
  ])('of %s takes about as long as a healthy one', async (name) => {
    const dir = temporaryFolder()
    writeFileSync(join(dir, 'healthy'), filled(80_000, member))
    writeFileSync(join(dir, 'hostile'), FILES[name](80_000))
    const healthy = await costMs(readAll, join(dir, 'healthy'))
    expect(await costMs(readAll, join(dir, 'hostile'))).toBeLessThan(10 * healthy)
  })
})

const ANSWER = 'HTTP/1.1 200 OK\r\n'
const MESSAGES: Readonly<Record<string, (size: number) => string>> = {
  'chunks of one byte': (size) =>
    `${ANSWER}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(size / 6)}`,
  'headers of one name': (size) => `${ANSWER}${'a:\n'.repeat(size / 30)}\n${'x'.repeat(size)}`,
  'folded headers': (size) => `${ANSWER}a: b\n${' c\n'.repeat(size / 30)}\n${'x'.repeat(size)}`,
  'no line end': (size) => 'x'.repeat(size),
}

describe('a hostile HTTP message', () => {
  test.each(Object.keys(MESSAGES))(
    'of %s: eight times the size takes about eight times as long',
    async (name) => {
      const makeBlock = (size: number) => Buffer.from(MESSAGES[name](size))
      await staysLinear(makeBlock, readHttpMessage, { size: 250_000 })
    },
  )

  test('in chunks of one byte holds no more memory than its body', () => {
    const block = Buffer.from(MESSAGES['chunks of one byte'](3_000_000))
    const before = heldBytes()
    const message = readHttpMessage(block)
    expect(heldBytes() - before).toBeLessThan(2 * block.length)
    expect(message?.body.length).toBe(500_000)
  })
})

test('bytes that came one by one hold no more memory than they need', () => {
  const before = heldBytes()
  const gathered = new GatheredBytes()
  for (let i = 0; i < 5000; i++) gathered.add(Buffer.alloc(1 << 14, i).subarray(0, 1))
  expect(heldBytes() - before).toBeLessThan(20 << 20) // of 80 MB that the pieces lie in
  expect(gathered.whole().equals(Buffer.from(Array.from({ length: 5000 }, (_, i) => i)))).toBe(true)
})
