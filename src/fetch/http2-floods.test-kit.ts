import { createServer, type TLSSocket } from 'node:tls'
import { repeat } from './hostile-floods.test-kit.ts'

/** Floods a stream of HTTP/2 in raw frames. */
type Http2Flood = (socket: TLSSocket, stream: number, windows: FlowWindows) => void

/** How much of a body the other side lets through, on the connection and on the latest stream. */
interface FlowWindows {
  connection: number
  stream: number
  /** Called when it lets more through. */
  onMore?: () => void
}

const [DATA, HEADERS, PRIORITY, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION] = [0, 1, 2, 4, 6, 8, 9]
const END_STREAM = 1
const ACK = 1
const END_HEADERS = 4
const PREFACE_BYTES = 24
const HEADER_BYTES = 9
/** What both sides start with. */
const WINDOW_BYTES = 65_535
/** No flood writes more. */
const FLOOD_BYTES = 64 << 20
const BODY_BYTES = 10 << 20
/** HPACK's static table: `:status: 200`, `:status: 404`; 103 is written out as 8-bit text. */
const STATUS_200 = Buffer.from([0x88])
const STATUS_404 = Buffer.from([0x8d])
const STATUS_103 = Buffer.from([0x08, 3, 0x31, 0x30, 0x33])
/** `content-type: text/html`, by the static table's name. */
const TYPE_HTML = Buffer.from([0x0f, 0x10, 9, ...Buffer.from('text/html')])

/** Answers in HTTP/2 by name. */
export const HTTP2_FLOODS: Readonly<Record<string, Http2Flood>> = {
  oneByteFrames: (socket, stream, windows) => {
    writePage(socket, stream)
    writeBytes(socket, stream, windows)
  },
  emptyFrames: (socket, stream) => {
    writePage(socket, stream)
    writeMany(socket, frame(DATA, 0, stream))
  },
  pings: (socket) => writeMany(socket, frame(PING, 0, 0, Buffer.alloc(8))),
  pingAnswers: (socket) => writeMany(socket, frame(PING, ACK, 0, Buffer.alloc(8))),
  settings: (socket) => writeMany(socket, frame(SETTINGS, 0, 0)),
  windowUpdates: (socket, stream) => writeMany(socket, frame(WINDOW_UPDATE, 0, stream, uint32(1))),
  priorities: (socket, stream) =>
    writeMany(socket, frame(PRIORITY, 0, stream, Buffer.from([0, 0, 0, 0, 7]))),
  unknownFrames: (socket, stream) => writeMany(socket, frame(0xf0, 0, stream)),
  continuations: (socket, stream) => {
    socket.write(frame(HEADERS, 0, stream, STATUS_200))
    writeMany(socket, frame(CONTINUATION, 0, stream))
  },
  earlyHints: (socket, stream) =>
    writeMany(socket, frame(HEADERS, END_HEADERS, stream, STATUS_103)),
}

const BY_LABEL = new Map(
  Object.entries(HTTP2_FLOODS).map(([name, flood]) => [name.toLowerCase(), flood]),
)

/**
 * A server that floods every request but the first to each name (its robots.txt, a 404). The name tells
 * with what, before its first hyphen or dot: `pings.example`, `onebyteframes-7.example`.
 */
export function http2FloodServer(identity: { key: string; cert: string }) {
  const met = new Set<string>()
  return createServer({ ...identity, ALPNProtocols: ['h2'] }, (socket) => {
    const name = String(socket.servername)
    const flood = BY_LABEL.get(name.split(/[-.]/, 1)[0]!)
    const windows: FlowWindows = { connection: WINDOW_BYTES, stream: WINDOW_BYTES }
    socket.on('error', () => {})
    socket.write(frame(SETTINGS, 0, 0))
    onFrames(socket, (type, flags, stream, payload) => {
      if (type === SETTINGS && !(flags & ACK)) socket.write(frame(SETTINGS, ACK, 0))
      if (type === WINDOW_UPDATE) {
        windows[stream === 0 ? 'connection' : 'stream'] += payload.readUInt32BE()
        windows.onMore?.()
      }
      if (type !== HEADERS) return
      windows.stream = WINDOW_BYTES
      if (flood && met.has(name)) flood(socket, stream, windows)
      else socket.write(frame(HEADERS, END_HEADERS | END_STREAM, stream, STATUS_404))
      met.add(name)
    })
  })
}

type OnFrame = (type: number, flags: number, stream: number, payload: Buffer) => void

function onFrames(socket: TLSSocket, onFrame: OnFrame): void {
  let rest: Buffer = Buffer.alloc(0)
  let toSkip = PREFACE_BYTES
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    const skipped = Math.min(toSkip, rest.length)
    toSkip -= skipped
    rest = rest.subarray(skipped)
    while (rest.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + rest.readUIntBE(0, 3)
      if (rest.length < end) return
      onFrame(rest[3]!, rest[4]!, rest.readUInt32BE(5), rest.subarray(HEADER_BYTES, end))
      rest = rest.subarray(end)
    }
  })
}

function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(HEADER_BYTES)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function writePage(socket: TLSSocket, stream: number): void {
  socket.write(frame(HEADERS, END_HEADERS, stream, Buffer.concat([STATUS_200, TYPE_HTML])))
}

function writeMany(socket: TLSSocket, one: Buffer): void {
  repeat(socket, '', one, FLOOD_BYTES / one.length, '')
}

/** A body in frames of one byte, as fast as the other side's windows allow. */
function writeBytes(socket: TLSSocket, stream: number, windows: FlowWindows): void {
  const one = frame(DATA, 0, stream, Buffer.from('x'))
  let left = BODY_BYTES
  const more = () => {
    const room = () => Math.min(left, windows.connection, windows.stream)
    while (room() > 0 && !socket.destroyed) {
      const count = Math.min(room(), 4096)
      left -= count
      windows.connection -= count
      windows.stream -= count
      if (!socket.write(Buffer.alloc(count * one.length, one))) return
    }
  }
  windows.onMore = more
  socket.on('drain', more)
  more()
}
