/** An HTTP message as it lies in a record's block. */
export interface HttpMessage {
  readonly startLine: string
  /** All of its head, as it lies there. */
  readonly head: string
  /** Of an answer; 0 in a request. */
  readonly status: number
  /** By lower-case name; values of a repeated header are joined with commas. */
  readonly headers: ReadonlyMap<string, string>
  /** Without chunks, still content-encoded. */
  readonly body: Buffer
}

const NEWLINE = 10
const MAX_HEAD_BYTES = 1 << 18

/** Reads a block of `application/http`: bare line feeds and folded headers are fine. */
export function readHttpMessage(block: Buffer): HttpMessage | undefined {
  const headEnd = endOfHead(block)
  if (headEnd === undefined) return undefined
  const head = block.toString('latin1', 0, headEnd)
  const lines = head.split(/\r?\n/)
  const startLine = lines[0].trim()
  const headers = new Map<string, string>()
  let last: string | undefined
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':')
    if (/^[ \t]/.test(line) && last !== undefined)
      headers.set(last, `${headers.get(last)} ${line.trim()}`)
    else if (colon > 0) {
      last = line.slice(0, colon).trim().toLowerCase()
      const value = line.slice(colon + 1).trim()
      const before = headers.get(last)
      headers.set(last, before === undefined ? value : `${before}, ${value}`)
    }
  }
  const status = Number(/^HTTP\/[\d.]+\s+(\d{3})\b/.exec(startLine)?.[1] ?? 0)
  const body = block.subarray(headEnd)
  const isChunked = /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '')
  return { startLine, head, status, headers, body: isChunked ? withoutChunks(body) : body }
}

/** Just behind the first empty line; a block that has none is all head. */
function endOfHead(block: Buffer): number | undefined {
  for (let at = block.indexOf(NEWLINE); at >= 0; at = block.indexOf(NEWLINE, at + 1)) {
    if (at > MAX_HEAD_BYTES) return undefined
    if (block[at + 1] === NEWLINE) return at + 2
    if (block[at + 1] === 13 && block[at + 2] === NEWLINE) return at + 3
  }
  return block.length > 0 && block.length <= MAX_HEAD_BYTES ? block.length : undefined
}

/**
 * A body freed of its chunks. Some writers take them off and leave the header, so a body that does
 * not begin with a chunk is taken as it is; a cut-off one gives what it has.
 */
function withoutChunks(body: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(body.length) // chunks may be of one byte, and a million of them
  let filled = 0
  for (let at = 0; at < body.length; ) {
    const lineEnd = body.indexOf(NEWLINE, at)
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r?$/i.exec(
      body.toString('latin1', at, lineEnd < 0 ? at : Math.min(lineEnd, at + 1000)),
    )
    if (!size) return at === 0 ? body : whole.subarray(0, filled)
    const bytes = Number.parseInt(size[1], 16)
    if (bytes === 0) break
    filled += body.copy(whole, filled, lineEnd + 1, lineEnd + 1 + bytes)
    at = lineEnd + 1 + bytes
    if (body[at] === 13) at++
    if (body[at] === NEWLINE) at++
  }
  return whole.subarray(0, filled)
}
