import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { resizedInOwnPages } from '#numeric/own-pages.ts'

/**
 * The file of the pages' words is a sequence of groups: pages that came into the index, pages that got other
 * anchor texts, pages that went. A group is a head and packed content:
 *
 *     magic, kind, entries, bytes of the content, its CRC-32, 8 URL numbers (unused ones 0), CRC-32 of all these
 *
 * in words of four bytes. Groups of the first edition hold pages only: bytes, entries, 8 URL numbers, content.
 */
export const GROUP_ENTRIES = 8
export type GroupKind = 'pages' | 'anchors' | 'removed'

const KINDS: readonly GroupKind[] = ['pages', 'anchors', 'removed']
/** "GRP2"; as a length, which a group of the first edition begins with, it would be 800 MB. */
const MAGIC = 0x32505247
export const MAGIC_BYTES = Buffer.from('GRP2')
const HEAD_BYTES = 4 * (6 + GROUP_ENTRIES)
const UNMARKED_HEAD_BYTES = 4 * (2 + GROUP_ENTRIES)
export const MOST_HEAD_BYTES = HEAD_BYTES
/** Parts entries in a group; no text has it. */
const END = '\0'
/** Room for most groups; what long pages need is not kept for all that follow. */
const KEPT_BYTES = 1 << 21
const MOST_BYTES = 1 << 25
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export interface GroupHead {
  readonly kind: GroupKind
  /** The URL number of each entry. */
  readonly numbers: readonly number[]
  readonly headBytes: number
  readonly packedBytes: number
  /** Of the content; groups of the first edition have none. */
  readonly crc?: number
}

/** Whether bytes begin as a group with checksums does. */
export function isMarked(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32LE(0) === MAGIC
}

/** The head that bytes begin with; undefined if it is damaged or not all there. */
export function readHead(bytes: Buffer): GroupHead | undefined {
  if (bytes.length < HEAD_BYTES || !isMarked(bytes)) return undefined
  if (crc32(bytes.subarray(0, HEAD_BYTES - 4)) !== bytes.readUInt32LE(HEAD_BYTES - 4))
    return undefined
  const [kind, entries, packedBytes, crc] = [4, 8, 12, 16].map((at) => bytes.readUInt32LE(at))
  return {
    kind: KINDS[kind],
    numbers: numbersAt(bytes, 20, entries),
    headBytes: HEAD_BYTES,
    packedBytes,
    crc,
  }
}

/** The same for a group of the first edition, where only what cannot be is noticed. */
export function readUnmarkedHead(bytes: Buffer): GroupHead | undefined {
  if (bytes.length < UNMARKED_HEAD_BYTES) return undefined
  const [packedBytes, entries] = [0, 4].map((at) => bytes.readUInt32LE(at))
  if (entries === 0 || entries > GROUP_ENTRIES) return undefined
  const numbers = numbersAt(bytes, 8, entries)
  return { kind: 'pages', numbers, headBytes: UNMARKED_HEAD_BYTES, packedBytes }
}

/** A group as it goes into the file: at most `GROUP_ENTRIES` URLs, and the text of each. */
export function packGroup(
  kind: GroupKind,
  numbers: readonly number[],
  texts: readonly string[],
): Buffer {
  const packed = texts.length === 0 ? Buffer.alloc(0) : packedTexts(texts)
  const group = Buffer.alloc(HEAD_BYTES + packed.length)
  const words = [MAGIC, KINDS.indexOf(kind), numbers.length, packed.length, crc32(packed)]
  for (const [i, word] of [...words, ...numbers].entries()) group.writeUInt32LE(word, 4 * i)
  group.writeUInt32LE(crc32(group.subarray(0, HEAD_BYTES - 4)), HEAD_BYTES - 4)
  group.set(packed, HEAD_BYTES)
  return group
}

/** Used again: to make a buffer of a text takes twice as long as to write it into one. */
let scratch = resizedInOwnPages(Buffer.alloc(0), KEPT_BYTES, MOST_BYTES)

function packedTexts(texts: readonly string[]): Buffer {
  const all = joined(texts)
  const most = 3 * all.length < KEPT_BYTES ? KEPT_BYTES : Buffer.byteLength(all)
  if (most > scratch.length) scratch = resizedInOwnPages(scratch, most)
  const packed = zstdCompressSync(scratch.subarray(0, scratch.write(all)), FAST)
  if (scratch.length > KEPT_BYTES) scratch = resizedInOwnPages(scratch, KEPT_BYTES)
  return packed
}

/** All texts are joined before they are looked at: each is in pieces until it is copied. */
function joined(texts: readonly string[]): string {
  const all = texts.join(END)
  const parts = all.split(END, texts.length + 1).length
  return parts === texts.length ? all : texts.map((text) => text.replaceAll(END, ' ')).join(END)
}

/** The texts of a group's entries; undefined if its content is damaged. */
export function unpackGroup({ crc, numbers }: GroupHead, packed: Buffer): string[] | undefined {
  if (crc !== undefined && crc32(packed) !== crc) return undefined
  if (packed.length === 0) return []
  try {
    const texts = zstdDecompressSync(packed).toString('utf8').split(END)
    return texts.length === numbers.length ? texts : undefined
  } catch {
    return undefined // only without a checksum
  }
}

function numbersAt(bytes: Buffer, at: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => bytes.readUInt32LE(at + 4 * i))
}
