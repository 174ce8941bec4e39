import type { Socket } from 'node:net'

/** Writes one answer that costs its reader far more than its bytes; each ends by itself. */
type Flood = (socket: Socket) => void

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
const GOOD = `${OK}Content-Length: 2\r\n\r\nok`
/** As long as the longest page that is let in by default. */
const BODY_BYTES = 10 << 20
/** No flood writes more. */
const FLOOD_BYTES = 64 << 20
const BLOCK_BYTES = 48 * 1024

/** Answers in HTTP/1.1 by name. */
export const FLOODS: Readonly<Record<string, Flood>> = {
  oneByteChunks: (socket) => repeat(socket, CHUNKED, '1\r\nx\r\n', BODY_BYTES, '0\r\n\r\n'),
  smallChunks: (socket) =>
    repeat(socket, CHUNKED, `20\r\n${'x'.repeat(32)}\r\n`, BODY_BYTES / 32, '0\r\n\r\n'),
  extendedChunks: (socket) =>
    repeat(socket, CHUNKED, `1;a=${'b'.repeat(20)}\r\nx\r\n`, BODY_BYTES / 8, '0\r\n\r\n'),
  tinyHeaders: (socket) => repeat(socket, OK, 'a:\r\n', FLOOD_BYTES / 4, '\r\n'),
  tinyTrailers: (socket) =>
    repeat(socket, `${CHUNKED}2\r\nok\r\n0\r\n`, 'a:\r\n', FLOOD_BYTES / 4, '\r\n'),
  hundredContinues: (socket) =>
    repeat(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n', FLOOD_BYTES / 25, GOOD),
  earlyHints: (socket) =>
    repeat(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n', FLOOD_BYTES / 28, GOOD),
  emptyLinesFirst: (socket) => repeat(socket, '', '\r\n', FLOOD_BYTES / 2, GOOD),
  emptyLinesAfter: (socket) => repeat(socket, GOOD, '\r\n', FLOOD_BYTES / 2, ''),
  oneBytePackets: (socket) => bytePackets(socket, `${OK}Content-Length: ${1 << 20}\r\n\r\n`),
  statusZero: (socket) => socket.end('HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n'),
}

/** Writes head, then the part so many times, then the tail, as fast as it is read. */
export function repeat(
  socket: Socket,
  head: string | Buffer,
  part: string | Buffer,
  times: number,
  tail: string | Buffer,
): void {
  const one = Buffer.from(part as string)
  const inBlock = Math.max(Math.floor(BLOCK_BYTES / one.length), 1)
  const block = Buffer.alloc(one.length * inBlock, one)
  let left = Math.floor(times)
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      const count = Math.min(left, inBlock)
      left -= count
      const isLast = left === 0
      const hasRoom = socket.write(block.subarray(0, count * one.length))
      if (isLast) {
        socket.off('drain', more)
        socket.write(tail)
      } else if (!hasRoom) return
    }
  }
  socket.on('drain', more)
  socket.write(head)
  more()
}

/** A body whose every byte is a packet of its own. */
function bytePackets(socket: Socket, head: string): void {
  socket.setNoDelay(true)
  socket.write(head)
  let left = 1 << 20
  const more = () => {
    for (let burst = 0; burst < 64 && left > 0 && !socket.destroyed; burst++, left--)
      socket.write('x')
    if (left > 0 && !socket.destroyed) setImmediate(more)
  }
  more()
}
