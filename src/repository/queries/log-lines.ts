import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'
import { SettingError } from '#errors/setting-error.ts'
import { LineCutter } from '../line-cutter.ts'

const GZIP_MAGIC = Buffer.of(0x1f, 0x8b)
/** No record of any log we know is longer. */
const MAX_LINE_BYTES = 16 * 1024 * 1024

export interface LogLine {
  /** Undefined if the line cannot be read. */
  readonly text?: string
  readonly problem?: string
  /** From 1. */
  readonly line: number
}

interface LogEnd {
  readonly lines: number
  /** Of the file as it lies there. */
  readonly bytes: number
  readonly sha256: string
}

export interface LogLineOptions {
  /** Where to begin, in bytes. */
  readonly from?: number
  /** Lines that come before that. */
  readonly linesBefore?: number
  /** Leaves out a last line that nobody has ended yet. */
  readonly wholeLinesOnly?: boolean
  /** Told how many bytes were read, now and then; what it does is waited for. */
  readonly pause?: (bytes: number) => Promise<void>
}

/** Hands over the lines of a text file, gzipped or not, as a stream. */
export async function forEachLogLine(
  path: string,
  visit: (line: LogLine) => void,
  options: LogLineOptions = {},
): Promise<LogEnd> {
  const hash = createHash('sha256')
  let bytes = options.from ?? 0
  async function* wholeFile(): AsyncGenerator<Buffer> {
    const start = options.from === undefined ? {} : { start: options.from } // pipes have no places
    for await (const chunk of createReadStream(path, { ...start, highWaterMark: 1 << 18 })) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const cutter = new LineCutter(MAX_LINE_BYTES)
  let lines = 0
  const emit = (whole: Buffer) => {
    const line = ++lines + (options.linesBefore ?? 0)
    const isTooLong = whole.length > MAX_LINE_BYTES
    visit(isTooLong ? { problem: 'longer than 16 MiB', line } : { ...decoded(whole, line), line })
  }
  const cut = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      cutter.linesIn(chunk).forEach(emit)
      await options.pause?.(bytes)
    }
  }
  try {
    // By its first bytes: logs are rotated, packed and renamed.
    const chunks = wholeFile()
    const { value: head } = await chunks.next()
    const whole = async function* () {
      if (head) yield head
      yield* chunks
    }
    const isGzipped = options.from === undefined && head?.subarray(0, 2).equals(GZIP_MAGIC)
    if (isGzipped) await pipeline(whole, createGunzip(), inUtf8, cut)
    // Who says where to begin reads our own logs, which are UTF-8.
    else await cut(options.from === undefined ? inUtf8(whole()) : whole())
  } catch (error) {
    throw explain(error, path, lines)
  }
  if (options.wholeLinesOnly) bytes -= cutter.begunBytes
  else if (cutter.begunBytes > 0) emit(cutter.begun)
  return { lines, bytes, sha256: hash.digest('hex') }
}

const ENOUGH = new Error('enough was read')

/** The first line that says anything. */
export async function firstLogLine(path: string): Promise<string> {
  let first = ''
  try {
    await forEachLogLine(path, ({ text = '' }) => {
      first = text.trim()
      if (first !== '') throw ENOUGH
    })
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
  return first
}

function decoded(bytes: Buffer, line: number): { text?: string; problem?: string } {
  const text = bytes.toString('utf8')
  if (text.includes('\ufffd') && !isUtf8(bytes)) return { problem: 'not valid UTF-8' }
  const start = line === 1 && text.startsWith('\ufeff') ? 1 : 0
  return { text: text.slice(start, text.endsWith('\r') ? -1 : undefined) }
}

/** Spreadsheets, and Matomo for their sake, write UTF-16; the mark at its beginning tells. */
async function* inUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst) decoder = utf16DecoderFor(chunk)
    isFirst = false
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk
  }
}

function utf16DecoderFor([first, second]: Buffer): TextDecoder | undefined {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : undefined
}

function explain(error: unknown, path: string, lines: number): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const options = { cause: error }
  if (code === 'ENOENT') return new SettingError('queries', `${path}: no such file`, options)
  if (code === 'EACCES' || code === 'EISDIR')
    return new SettingError('queries', `${path}: cannot be read (${message})`, options)
  if (code === 'Z_BUF_ERROR' || code === 'Z_DATA_ERROR')
    return new SettingError(
      'queries',
      `${path}: damaged gzip after line ${lines}; unpack it yourself to import what is left`,
      options,
    )
  return error
}
