import { Readable } from 'node:stream'
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import type { FileWindow } from './file-window.ts'

/** What comes out of a file of gzip members, in order. Offsets are those in the file. */
export type MemberEvent =
  | { readonly kind: 'start'; readonly at: number }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** The member was whole; `at` is where it ended. */
  | { readonly kind: 'end'; readonly at: number }
  /** The member cannot be unpacked to its end; others follow. */
  | { readonly kind: 'damage'; readonly at: number; readonly reason: string }
  /** As before, but nothing follows: the file ends within this member. */
  | { readonly kind: 'cut'; readonly at: number; readonly reason: string }

const MAGIC = Buffer.from([0x1f, 0x8b, 0x08])
const TRAILER_BYTES = 8
/** A gzip header with its name and comment; one that looks longer is none. */
const MOST_HEADER_BYTES = 1 << 16
/** The same of a member that is looked for: many headers could lead to one bomb. */
const MOST_PROBED_HEADER_BYTES = 128
/** So many bytes are unpacked to see the first five characters; few at first, as they may be a bomb. */
const PROBES = [32, 512]
const SEARCHED_BYTES = 1 << 16
const AT_ONCE_BYTES = 1 << 18
const AT_ONCE_UNPACKED_BYTES = 1 << 23

/**
 * Unpacks a file of gzip members one by one, in bounded memory. Node's own gunzip glues members
 * together; here each tells where it lies, its checksum is compared, and after a damaged one the next
 * that holds a WARC record is looked for.
 */
export async function* gzipMembers(file: FileWindow): AsyncGenerator<MemberEvent> {
  for (;;) {
    const start = file.position
    if ((await file.peek(1)).length === 0) return
    yield { kind: 'start', at: start }
    const fault = yield* inflateMember(file)
    if (fault === undefined) {
      yield { kind: 'end', at: file.position }
      continue
    }
    const next = await findMember(file, start + 1)
    const kind = next === undefined ? 'cut' : 'damage'
    yield { kind, at: start, reason: fault }
    if (next === undefined) return
    file.seek(next)
  }
}

/** Unpacks the member at the window's position and moves behind it; gives what is wrong with it. */
async function* inflateMember(file: FileWindow): AsyncGenerator<MemberEvent, string | undefined> {
  const ahead = await file.peek(AT_ONCE_BYTES)
  const headerBytes = gzipHeaderBytes(ahead)
  if (headerBytes === undefined) return 'no gzip header'
  const isRest = ahead.length < AT_ONCE_BYTES
  const small = inflateAtOnce(ahead.subarray(headerBytes), isRest)
  file.moveTo(file.position + headerBytes)
  let checksum = 0
  let bytes = 0
  if (small) {
    checksum = crc32(small.unpacked)
    bytes = small.unpacked.length
    file.moveTo(file.position + small.packedBytes)
    yield { kind: 'bytes', bytes: small.unpacked }
  } else {
    try {
      for await (const chunk of inflateInPieces(file)) {
        checksum = crc32(chunk, checksum)
        bytes += chunk.length
        yield { kind: 'bytes', bytes: chunk }
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (!code?.startsWith('Z_')) throw error
      return code === 'Z_BUF_ERROR' ? 'the file ends within it' : `corrupt gzip (${message})`
    }
  }
  const trailer = await file.peek(TRAILER_BYTES)
  if (trailer.length < TRAILER_BYTES) return 'the file ends within it'
  if (trailer.readUInt32LE(0) !== checksum || trailer.readUInt32LE(4) !== bytes % 2 ** 32)
    return 'its checksum is wrong'
  file.moveTo(file.position + TRAILER_BYTES)
  return undefined
}

/**
 * The short way, for members that are at hand as a whole: ten times faster than a stream. If nothing
 * follows in the file, what there is of a cut-off member will do.
 */
function inflateAtOnce(
  packed: Buffer,
  isRest: boolean,
): { unpacked: Buffer; packedBytes: number } | undefined {
  const finishFlush = isRest ? constants.Z_SYNC_FLUSH : constants.Z_FINISH
  try {
    const options = { info: true, finishFlush, maxOutputLength: AT_ONCE_UNPACKED_BYTES }
    // With `info` there is an object, which the types do not know.
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    return { unpacked: buffer, packedBytes: engine.bytesWritten }
  } catch {
    return undefined // the long way tells what is wrong, if anything is
  }
}

/** Unpacks from the window's position on, moving it as it goes. */
async function* inflateInPieces(file: FileWindow): AsyncGenerator<Buffer> {
  const start = file.position
  const inflate = createInflateRaw({ chunkSize: 1 << 16 })
  const source = Readable.from(file.ahead(), { highWaterMark: 1 })
  try {
    for await (const chunk of source.pipe(inflate)) {
      file.moveTo(start + inflate.bytesWritten)
      yield chunk
    }
    file.moveTo(start + inflate.bytesWritten)
  } finally {
    source.destroy()
    inflate.destroy()
  }
}

/** Length of the gzip header that bytes begin with; undefined if there is none, or not all of it. */
function gzipHeaderBytes(all: Buffer, most = MOST_HEADER_BYTES): number | undefined {
  const bytes = all.subarray(0, most)
  if (bytes.length < 10 || MAGIC.compare(bytes, 0, 3) !== 0 || (bytes[3] & 0xe0) !== 0)
    return undefined
  const flags = bytes[3]
  let end = 10
  if (flags & 4) end += bytes.length < end + 2 ? 2 : 2 + bytes.readUInt16LE(end)
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue
    const zero = bytes.indexOf(0, end)
    if (zero < 0) return undefined
    end = zero + 1
  }
  if (flags & 2) end += 2
  return end <= bytes.length ? end : undefined
}

/** Where the next member lies that begins with a WARC record, from an offset on. */
async function findMember(file: FileWindow, from: number): Promise<number | undefined> {
  for (let base = from; ; ) {
    file.seek(base)
    const probed = MOST_PROBED_HEADER_BYTES + PROBES[PROBES.length - 1]
    const bytes = await file.peek(SEARCHED_BYTES + probed)
    const isLast = bytes.length < SEARCHED_BYTES + probed
    const searched = isLast ? bytes.length : bytes.length - probed
    for (let at = bytes.indexOf(MAGIC); at >= 0 && at < searched; at = bytes.indexOf(MAGIC, at + 1))
      if (holdsRecord(bytes.subarray(at))) return base + at
    if (isLast) return undefined
    base += searched
  }
}

function holdsRecord(member: Buffer): boolean {
  const headerBytes = gzipHeaderBytes(member, MOST_PROBED_HEADER_BYTES)
  if (headerBytes === undefined || !hasUsualFlags(member)) return false
  const packed = member.subarray(headerBytes)
  try {
    for (const bytes of PROBES) {
      const probe = packed.subarray(0, bytes)
      const text = inflateRawSync(probe, { finishFlush: constants.Z_SYNC_FLUSH })
      if (text.length >= 5) return text.toString('latin1', 0, 5) === 'WARC/'
    }
  } catch {
    // no packed bytes
  }
  return false
}

/** Compression level and operating system as RFC 1952 knows them: bytes that chance rarely has. */
function hasUsualFlags(header: Buffer): boolean {
  return [0, 2, 4].includes(header[8]) && (header[9] <= 13 || header[9] === 255)
}
