/**
 * A buffer of another length that holds what the old one held, in pages of its own: it grows where it is, and the system
 * gets back what it no longer needs. Long buffers cut from the common heap leave it in pieces, and hundreds of
 * megabytes stay taken.
 */
export function resizedInOwnPages(
  buffer: Buffer,
  bytes: number,
  mostBytes = bytes,
): Buffer<ArrayBuffer> {
  const own = buffer.buffer as ArrayBuffer
  if (own.resizable && bytes <= own.maxByteLength) {
    own.resize(bytes)
    return Buffer.from(own, 0, bytes)
  }
  const pages = new ArrayBuffer(bytes, { maxByteLength: Math.max(bytes, mostBytes) })
  const resized = Buffer.from(pages, 0, bytes)
  resized.set(buffer.subarray(0, bytes))
  return resized
}

/** Gives the system back what a buffer in pages of its own holds, for nobody reads it any more. */
export function releasePages({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0)
}
