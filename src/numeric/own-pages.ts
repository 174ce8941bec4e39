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

/**
 * Gives back at once what arrays hold that nobody reads any more. The engine would do so when it next looks through
 * everything, and sees no hurry while there is memory. Whoever reads them all the same finds them empty. What is
 * part of something larger, as of a file that was read, is left alone: it is not theirs.
 */
export function releaseArrays(arrays: Iterable<ArrayBufferView>): void {
  for (const { buffer, byteLength } of arrays) {
    const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    if (isOwn && !buffer.detached) buffer.transfer(0)
  }
}

/** Gives the system back what a buffer in pages of its own holds, for nobody reads it any more. */
export function releasePages({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0)
}
