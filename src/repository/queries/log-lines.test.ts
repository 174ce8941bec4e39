import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { heldBytes, staysLinear } from '#numeric/stays-linear.test-kit.ts'
import { sharedFolder } from '../temporary-folder.test-kit.ts'
import { forEachLogLine, type LogLine } from './log-lines.ts'

const dir = sharedFolder()

let files = 0
function fileOf(bytes: string | Buffer): string {
  const path = join(dir, `log-${files++}`)
  writeFileSync(path, bytes)
  return path
}

async function linesOf(bytes: string | Buffer): Promise<LogLine[]> {
  const lines: LogLine[] = []
  await forEachLogLine(fileOf(bytes), (line) => lines.push(line))
  return lines
}

const manyMembers = (text: string, size: number) =>
  Buffer.concat(new Array<Buffer>(Math.ceil(size / 21)).fill(gzipSync(text)))

// biome-ignore format: a table reads better with one line a shape
const SHAPES: Readonly<Record<string, (size: number) => string | Buffer>> = {
  'empty lines': (size) => '\n'.repeat(size),
  'carriage returns': (size) => '\r'.repeat(size),
  'one line without an end': (size) => 'x'.repeat(size),
  'bytes that are no text': (size) => Buffer.alloc(size, 0xff),
  'bytes of zero': (size) => Buffer.alloc(size),
  'UTF-16 of line ends': (size) => Buffer.from(`\ufeff${'\n'.repeat(size / 2)}`, 'utf16le'),
  'empty gzip members': (size) => manyMembers('', size),
  'gzip members of one byte': (size) => manyMembers('x', size),
  'gzip members of one line end': (size) => manyMembers('\n', size),
  'a gzip that unpacks to much': (size) => gzipSync(Buffer.alloc(size * 4)),
  'gzip in gzip': (size) => gzipSync(gzipSync(Buffer.alloc(size, '\n'), { level: 0 })),
}

describe('a hostile file', () => {
  test.each(Object.keys(SHAPES))(
    'of %s: eight times the size takes about eight times as long',
    async (name) => {
      const read = (path: string) => forEachLogLine(path, () => {})
      await staysLinear((size) => fileOf(SHAPES[name](size)), read, { size: 1 << 19 })
    },
  )

  test('of one endless line takes no more memory than the longest line allowed', async () => {
    const path = join(dir, 'endless')
    const file = createWriteStream(path)
    for (let mb = 0; mb < 100; mb++)
      if (!file.write(Buffer.alloc(1 << 20, 'x'))) await once(file, 'drain')
    file.end('\nlast')
    await once(file, 'close')
    const before = heldBytes()
    const lines: LogLine[] = []
    let most = 0
    await forEachLogLine(path, (line) => lines.push(line), {
      pause: async (bytes) => {
        if (bytes % (1 << 24) === 0) most = Math.max(most, heldBytes() - before)
      },
    })
    expect(lines).toEqual([
      { line: 1, problem: 'longer than 16 MiB' },
      { line: 2, text: 'last' },
    ])
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(24 << 20)
  })
})

describe('a log is read whatever its frame', () => {
  const text = 'a,1\r\nb,2'
  const lines = [
    { line: 1, text: 'a,1' },
    { line: 2, text: 'b,2' },
  ]
  test.each([
    ['plain', Buffer.from(text)],
    ['with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['in UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['in gzip', gzipSync(text)],
    ['in many gzip members', Buffer.concat([...text].map((letter) => gzipSync(letter)))],
  ])('%s', async (_, bytes) => {
    expect(await linesOf(bytes)).toEqual(lines)
  })
})

describe('a file that cannot be read is named with what to do', () => {
  test.each([
    [
      'cut gzip',
      gzipSync('a,1\n'.repeat(99)).subarray(0, -4),
      /log-\d+: damaged gzip after line \d+; unpack it/,
    ],
    [
      'garbage behind gzip',
      Buffer.concat([gzipSync('a,1\n'), Buffer.from('garbage')]),
      /damaged gzip/,
    ],
    [
      'corrupt gzip',
      Buffer.from('1f8b0800000000000003ffffffff', 'hex'),
      /damaged gzip after line 0/,
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(linesOf(bytes)).rejects.toThrow(message)
  })

  test('a folder', async () => {
    await expect(forEachLogLine(dir, () => {})).rejects.toThrow(/cannot be read/)
  })
})
