import { gzipSync } from 'node:zlib'
import { releaseArrays, resizedInOwnPages } from '#numeric/own-pages.ts'
import { sha1Digest } from '../digest.ts'
import { storedMember } from '../read/stored-member.ts'

/** Named fields of a record, in order; those without a value are left out. */
type RecordFields = readonly (readonly [name: string, value: string | undefined])[]

const FIELD_ROOM = 16_384
/** What one long record needs is not kept for all that follow. */
const KEPT_BYTES = 1 << 20
const MOST_BYTES = 1 << 25
/** Higher ones take far longer, and bodies mostly come packed. */
const GZIP_LEVEL = 1
/** Not worth compressing. */
const SMALL_BYTES = 1024
/** A record's fields are one line each, whatever an outsider put into them. */
const LINE_BREAKS = /[\r\n]+/g

/**
 * Makes gzipped records. Blocks are laid out in one buffer that is used again and again, with room in
 * front for the fields, which can only be written once the block has been hashed.
 */
export class RecordPacker {
  #scratch = resizedInOwnPages(Buffer.alloc(0), KEPT_BYTES, MOST_BYTES)

  /**
   * One record as a gzip member of its own. The block is `head`, then `body`; one that came packed is
   * not worth the time to pack it again.
   */
  pack(fields: RecordFields, head: string, body?: Uint8Array, isPacked = false): Buffer {
    const block = this.#layOut(head, body)
    const lines = fields.flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${value.replace(LINE_BREAKS, ' ')}`],
    )
    // A payload digest guards a response's body already; hashing it twice would cost a tenth of a record.
    if (!fields.some(([name]) => name === 'WARC-Payload-Digest'))
      lines.push(`WARC-Block-Digest: ${sha1Digest(block)}`)
    lines.push(`Content-Length: ${block.length}`)
    const text = `WARC/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
    const textBytes = Buffer.byteLength(text)
    const end = FIELD_ROOM + block.length
    if (textBytes > FIELD_ROOM) throw new Error(`${textBytes} bytes of fields in one WARC record`)
    const start = FIELD_ROOM - textBytes
    this.#scratch.write(text, start)
    this.#scratch.write('\r\n\r\n', end, 'latin1')
    const member = this.#gzip(this.#scratch.subarray(start, end + 4), isPacked)
    if (this.#scratch.length > KEPT_BYTES)
      this.#scratch = resizedInOwnPages(this.#scratch, KEPT_BYTES)
    return member
  }

  #layOut(head: string, body: Uint8Array | undefined): Buffer {
    const most = FIELD_ROOM + head.length * 3 + (body?.length ?? 0) + 4
    if (most > this.#scratch.length) this.#scratch = resizedInOwnPages(this.#scratch, most)
    // Header bytes come as latin1; whatever does not fit there never was a byte.
    const encoding = /[^\0-\xff]/.test(head) ? 'utf8' : 'latin1'
    let end = FIELD_ROOM + this.#scratch.write(head, FIELD_ROOM, encoding)
    if (body) {
      this.#scratch.set(body, end)
      end += body.length
    }
    return this.#scratch.subarray(FIELD_ROOM, end)
  }

  #gzip(record: Buffer, isPacked: boolean): Buffer {
    if (isPacked || record.length <= SMALL_BYTES) return storedMember(record)
    // More memory than usual, and room for the result, make level 1 somewhat faster.
    const chunkSize = Math.min(1 << 20, Math.max(1 << 15, record.length))
    const room = gzipSync(record, { level: GZIP_LEVEL, memLevel: 9, chunkSize })
    const member = Buffer.from(room)
    // The compressor holds its room until the engine has looked through all objects, which is so made necessary.
    releaseArrays([new Uint8Array(room.buffer)])
    return member
  }
}
