import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { LineCutter } from '../line-cutter.ts'

/** A segment may be larger than the longest string, so it is read in bites. */
const BITE_BYTES = 1 << 20
/** Checksum and length in bytes of the JSON that follows. */
const HEAD = /^([0-9a-f]{8}) (\d{1,10}) /
const HEAD_BYTES = 20
/** What may be left of a line's head when the line was cut off within it. */
const BEGUN_HEAD = /^[0-9a-f]{0,8}$|^[0-9a-f]{8} \d{0,10}$/

/** One line of a journal segment as it was read. */
export interface JournalLine {
  /** From 1. */
  readonly line: number
  /** Absent if it is not what was written. */
  readonly json?: string
}

/** How a segment ends. */
interface JournalEnd {
  /** Bytes up to the end of the last line; what follows was cut off by a kill. */
  readonly wholeBytes: number
  /** Whether the last line is whole but for its newline. */
  readonly lacksNewline: boolean
}

/** What stands before the JSON of a line, so that damage to it is noticed. */
export function lineHead(json: Uint8Array): string {
  return `${crc32(json).toString(16).padStart(8, '0')} ${json.length} `
}

/** Hands over the lines of a segment; what a kill cut off at its end is left out. Writes nothing. */
export function forEachJournalLine(path: string, visit: (line: JournalLine) => void): JournalEnd {
  let line = 0
  let wholeBytes = 0
  const rest = cutAtNewlines(path, (bytes) => {
    visit({ line: ++line, ...checked(bytes) })
    wholeBytes += bytes.length + 1
  })
  const last = lastLine(rest)
  if (last === 'cut off') return { wholeBytes, lacksNewline: false }
  visit({ line: ++line, ...checked(last) })
  return { wholeBytes: wholeBytes + last.length, lacksNewline: true }
}

function checked(bytes: Buffer): Pick<JournalLine, 'json'> {
  const head = headOf(bytes)
  if (!head) return plainJson(bytes)
  const json = bytes.subarray(head.bytes)
  return json.length === head.length && crc32(json) === head.sum ? { json: json.toString() } : {}
}

/** Lines of the first edition have no checksum: that they are JSON is all that can be said. */
function plainJson(bytes: Buffer): Pick<JournalLine, 'json'> {
  const json = bytes.toString()
  try {
    JSON.parse(json)
    return { json }
  } catch {
    return {}
  }
}

/** The line that follows the last newline, whole but for its own or damaged, unless a kill cut it off. */
function lastLine(rest: Buffer): Buffer | 'cut off' {
  const text = rest.toString('latin1', 0, HEAD_BYTES)
  if (BEGUN_HEAD.test(text) || text.startsWith('{')) return 'cut off'
  const head = headOf(rest)
  if (!head) return rest
  const end = head.bytes + head.length
  if (rest.length < end) return 'cut off'
  // One byte more is what has become of the newline.
  return rest.length === end + 1 ? rest.subarray(0, end) : rest
}

function headOf(bytes: Buffer): { sum: number; length: number; bytes: number } | undefined {
  const match = HEAD.exec(bytes.toString('latin1', 0, HEAD_BYTES))
  if (!match) return undefined
  const [head, sum, length] = match
  return { sum: Number.parseInt(sum, 16), length: Number(length), bytes: head.length }
}

/** Calls `visit` with everything that ends in a newline; gives what follows the last. */
function cutAtNewlines(path: string, visit: (bytes: Buffer) => void): Buffer {
  const file = openSync(path, 'r')
  try {
    const cutter = new LineCutter()
    for (;;) {
      const bite = Buffer.allocUnsafe(BITE_BYTES)
      const length = readSync(file, bite)
      if (length === 0) return cutter.begun
      for (const line of cutter.linesIn(bite.subarray(0, length))) visit(line)
    }
  } finally {
    closeSync(file)
  }
}
