import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip } from 'node:zlib'
import { SettingError } from '#errors/setting-error.ts'
import { lineError } from './line-error.ts'

const NEWLINE = 10
/** A page has 200,000 characters of text at most, so a longer line is damage. */
const MAX_LINE_BYTES = 1 << 24

/** Calls `visit` for each line of a gzipped text file, numbered from 1; gives the number of lines. */
export async function forEachGzipLine(
  path: string,
  visit: (text: string, line: number) => void,
): Promise<number> {
  const splitter = new LineSplitter(path, visit)
  try {
    await pipeline(createReadStream(path), createGunzip({ chunkSize: 1 << 17 }), async (chunks) => {
      for await (const chunk of chunks as AsyncIterable<Buffer>) splitter.push(chunk)
    })
  } catch (error) {
    throw await explain(error, path)
  }
  return splitter.end()
}

/** Cuts chunks of bytes into lines; a line may span chunks, the last needs no newline. */
class LineSplitter {
  readonly #path: string
  readonly #visit: (text: string, line: number) => void
  #pending: Buffer[] = []
  #pendingBytes = 0
  #lines = 0

  constructor(path: string, visit: (text: string, line: number) => void) {
    this.#path = path
    this.#visit = visit
  }

  push(chunk: Buffer): void {
    let start = 0
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start)
      if (end < 0) break
      this.#emit(chunk, start, end)
      start = end + 1
    }
    if (start === chunk.length) return
    this.#pending.push(chunk.subarray(start))
    this.#pendingBytes += chunk.length - start
    if (this.#pendingBytes > MAX_LINE_BYTES)
      throw lineError(this.#path, this.#lines + 1, `longer than ${MAX_LINE_BYTES} bytes`)
  }

  end(): number {
    if (this.#pending.length > 0) this.#emit(Buffer.alloc(0), 0, 0)
    return this.#lines
  }

  #emit(chunk: Buffer, start: number, end: number): void {
    let bytes = chunk.subarray(start, end)
    if (this.#pending.length > 0) {
      bytes = Buffer.concat([...this.#pending, bytes])
      this.#pending = []
      this.#pendingBytes = 0
    }
    const line = ++this.#lines
    const text = bytes.toString('utf8')
    // The replacement character may stand for bytes that are not UTF-8, or for itself.
    if (text.includes('\ufffd') && !isUtf8(bytes))
      throw lineError(this.#path, line, 'not valid UTF-8')
    this.#visit(text, line)
  }
}

async function explain(error: unknown, path: string): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException
  const options = { cause: error }
  if (code === 'ENOENT') return new SettingError('archive', `${path}: no such file`, options)
  if (code === 'EACCES' || code === 'EISDIR')
    return new SettingError(
      'archive',
      `${path}: cannot be read (${(error as Error).message})`,
      options,
    )
  if (code !== 'Z_BUF_ERROR' && code !== 'Z_DATA_ERROR') return error
  const good = await countReadableLines(path)
  const damage =
    code === 'Z_BUF_ERROR' ? 'truncated gzip' : `corrupt gzip (${(error as Error).message})`
  const extent = good > 0 ? `the last good line is ${good}` : 'damaged near its start'
  return new SettingError(
    'archive',
    `${path}: ${damage}, ${extent}; fetch or write the file again`,
    options,
  )
}

/** How many whole lines a damaged file still gives: a lenient second pass, on the error path only. */
function countReadableLines(path: string): Promise<number> {
  return new Promise((resolve) => {
    let lines = 0
    // Small bites: what was unpacked from a bite is lost when it turns out to be bad.
    const file = createReadStream(path, { highWaterMark: 1024 })
    const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    const finish = () => {
      file.destroy()
      resolve(lines)
    }
    gunzip.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++
    })
    gunzip.on('end', finish).on('error', finish)
    file.on('error', finish).pipe(gunzip)
  })
}
