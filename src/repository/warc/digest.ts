import { hash } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A digest as WARC files label it: `sha1:` and 32 letters in base 32. */
export function sha1Digest(bytes: Uint8Array): string {
  return `sha1:${base32(hash('sha1', bytes, 'buffer'))}`
}

/** RFC 4648 base 32, for lengths that need no padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >>> (bits - 5)) & 31]
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text
}
