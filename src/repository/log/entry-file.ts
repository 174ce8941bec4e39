import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { putInPlace } from '../durable-file.ts'
import { LineCutter } from '../line-cutter.ts'

/** Lines are compressed in pieces of about this length. */
const PIECE_CHARS = 1 << 17
/** The fastest level: higher ones take half as long again and save a twentieth. */
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
}

/**
 * Writes one entry of the log: a JSON line that tells what it is, its items line by line, and their count, all
 * compressed with a checksum. The file is there whole on return, also after a power cut, or not at all.
 */
export async function writeEntryFile(
  path: string,
  head: object,
  items: Iterable<unknown> | AsyncIterable<unknown>,
): Promise<void> {
  const draft = `${path}.new`
  try {
    const pieces = Readable.from(piecesOf(head, items))
    await pipeline(pieces, createZstdCompress(COMPRESSION), createWriteStream(draft))
    putInPlace(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

async function* piecesOf(
  head: object,
  items: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<string> {
  let piece = `${JSON.stringify(head)}\n`
  let count = 0
  for await (const item of items) {
    piece += `${JSON.stringify(item)}\n`
    count++
    if (piece.length < PIECE_CHARS) continue
    yield piece
    piece = ''
  }
  yield `${piece}${JSON.stringify({ lines: count })}\n`
}

/**
 * The head of an entry, then its items. Complains with a plain `Error` about a file that is not whole; items
 * that came before are then to be forgotten.
 */
export async function* readEntryFile(path: string): AsyncGenerator<unknown> {
  let lines = 0
  let last: unknown
  for await (const line of linesOf(path)) {
    if (lines > 0) yield last
    last = JSON.parse(line)
    lines++
  }
  // Head and end are no items.
  if ((last as { lines?: number } | undefined)?.lines !== lines - 2)
    throw new Error('its end is missing')
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const unpacked = createZstdDecompress()
  const reading = pipeline(createReadStream(path), unpacked).catch(() => {}) // told by the loop below
  const cutter = new LineCutter()
  for await (const chunk of unpacked as AsyncIterable<Buffer>)
    for (const line of cutter.linesIn(chunk)) yield line.toString()
  await reading
  if (cutter.begunBytes > 0) throw new Error('its end is missing')
}
