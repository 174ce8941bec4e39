import { crc32 } from 'node:zlib'

// Deflate, no flags, no time, no level, system unknown.
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const TRAILER_BYTES = 8
const BLOCK_HEADER_BYTES = 5
const MOST_BLOCK_BYTES = 0xffff

/**
 * Bytes as a gzip member without compression. Starting up a compressor takes longer than copying a
 * few hundred bytes, and what came compressed does not get smaller.
 */
export function storedMember(bytes: Buffer): Buffer {
  const blocks = Math.max(1, Math.ceil(bytes.length / MOST_BLOCK_BYTES))
  const overhead = HEADER.length + blocks * BLOCK_HEADER_BYTES + TRAILER_BYTES
  const member = Buffer.allocUnsafe(bytes.length + overhead)
  let at = HEADER.copy(member)
  for (let block = 0; block < blocks; block++) {
    const from = block * MOST_BLOCK_BYTES
    const part = bytes.subarray(from, from + MOST_BLOCK_BYTES)
    member[at] = block === blocks - 1 ? 1 : 0
    member.writeUInt16LE(part.length, at + 1)
    member.writeUInt16LE(~part.length & 0xffff, at + 3)
    at += BLOCK_HEADER_BYTES + part.copy(member, at + BLOCK_HEADER_BYTES)
  }
  member.writeUInt32LE(crc32(bytes), at)
  member.writeUInt32LE(bytes.length % 2 ** 32, at + 4)
  return member
}
