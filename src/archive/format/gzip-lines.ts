import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip } from 'node:zlib'
import { SettingError } from '#errors/setting-error.ts'
import { LineCutter } from '#repository/line-cutter.ts'
import { lineError } from './line-error.ts'

const NEWLINE = 10
/** A page has 200,000 characters of text at most, so a longer line is damage. */
const MAX_LINE_BYTES = 1 << 24

/** Calls `visit` for each line of a gzipped text file, numbered from 1; gives the number of lines. */
export async function forEachGzipLine(
  path: string,
  visit: (text: string, line: number) => void,
): Promise<number> {
  const cutter = new LineCutter(MAX_LINE_BYTES)
  let lines = 0
  const show = (bytes: Buffer) => visit(textOf(bytes, path, ++lines), lines)
  try {
    await pipeline(createReadStream(path), createGunzip({ chunkSize: 1 << 17 }), async (chunks) => {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        cutter.linesIn(chunk).forEach(show)
        if (cutter.begunBytes > MAX_LINE_BYTES)
          throw lineError(path, lines + 1, `longer than ${MAX_LINE_BYTES} bytes`)
      }
    })
  } catch (error) {
    throw await explain(error, path)
  }
  if (cutter.begunBytes > 0) show(cutter.begun) // the last needs no newline
  return lines
}

function textOf(bytes: Buffer, path: string, line: number): string {
  const text = bytes.toString('utf8')
  // The replacement character may stand for bytes that are not UTF-8, or for itself.
  if (text.includes('\ufffd') && !isUtf8(bytes)) throw lineError(path, line, 'not valid UTF-8')
  return text
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
