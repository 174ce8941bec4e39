import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fetcherTo, htmlOf, outcomesOf, rawServer, requestsFor } from './testing/scripted-server.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const timeouts = { connectMs: 5_000, firstByteMs: 1_000, totalMs: 2_000 }
const BOMB = gzipSync(Buffer.alloc(100_000_000))

/** Writes for as long as somebody listens. */
function flood(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

/** Writes a little every few milliseconds: enough to look alive. */
function drip(socket: Socket, chunk: string): void {
  const timer = setInterval(() => socket.write(chunk), 10)
  socket.on('close', () => clearInterval(timer))
}

const HOSTILE: [name: string, answer: (socket: Socket) => void, kind: string, reason: RegExp][] = [
  ['says nothing', () => {}, 'failed', /^first-byte timeout$/],
  ['drips headers', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n'), 'failed', /timeout|malformed/],
  ['drips its headers’ lines', slowHeaders, 'failed', /^first-byte timeout$/],
  ['drips its body', slowBody, 'failed', /^total timeout$/],
  ['never ends its body', endlessBody, 'unreadable', /^body over/],
  ['promises a huge body', hugePromise, 'unreadable', /^body over|^type/],
  [
    'breaks its chunks',
    (socket) => end(socket, `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nx`),
    'failed',
    /^malformed HTTP/,
  ],
  [
    'sends less than announced',
    (socket) => end(socket, `${OK}Content-Length: 900\r\n\r\nshort`),
    'failed',
    /closed early/,
  ],
  [
    'ends amid its chunks',
    (socket) => end(socket, `${OK}Transfer-Encoding: chunked\r\n\r\nff\r\nshort`),
    'failed',
    /closed early/,
  ],
  ['resets amid its body', resetAmidBody, 'failed', /reset|closed/],
  ['hangs up', (socket) => socket.destroy(), 'failed', /reset|closed/],
  [
    'floods with one header',
    (socket) => flood(socket, `${OK}X-Flood: ${'a'.repeat(9_000)}\r\n`),
    'failed',
    /headers too large|malformed/,
  ],
  ['floods with headers', floodOfHeaders, 'failed', /headers too large|malformed/],
  [
    'speaks another protocol',
    (socket) => end(socket, 'SSH-2.0-OpenSSH_9.9\r\n'),
    'failed',
    /^malformed HTTP/,
  ],
  ['sends a zip bomb', zipBomb, 'unreadable', /^body over/],
  ['sends half a gzip', halfGzip, 'failed', /^body cut short$/],
  [
    'calls plain text gzip',
    (socket) => whole(socket, 'gzip', Buffer.from('no')),
    'unreadable',
    /^broken gzip/,
  ],
  [
    'switches protocols unasked',
    (socket) => end(socket, 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    'failed',
    /./,
  ],
  [
    'sends endless 1xx',
    (socket) => flood(socket, 'HTTP/1.1 102 Processing\r\n\r\n'),
    'failed',
    /./,
  ],
]

function slowHeaders(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n')
  drip(socket, 'X-More: 1\r\n')
}
function slowBody(socket: Socket): void {
  socket.write(`${OK}\r\n<title>slow</title>`)
  drip(socket, 'word ')
}
function endlessBody(socket: Socket): void {
  socket.write(`${OK}\r\n`)
  flood(socket, 'word '.repeat(10_000))
}
function hugePromise(socket: Socket): void {
  socket.write(`${OK}Content-Length: 99999999999\r\n\r\n`)
  flood(socket, 'word '.repeat(10_000))
}
function resetAmidBody(socket: Socket): void {
  socket.write(`${OK}Content-Length: 900\r\n\r\nshort`, () => socket.resetAndDestroy())
}
function floodOfHeaders(socket: Socket): void {
  socket.write(OK)
  flood(socket, Array.from({ length: 500 }, (_, i) => `X-${i}: y\r\n`).join(''))
}
function zipBomb(socket: Socket): void {
  whole(socket, 'gzip', BOMB)
}
function halfGzip(socket: Socket): void {
  const packed = gzipSync(htmlOf('half'))
  whole(socket, 'gzip', packed.subarray(0, packed.length / 2))
}
function whole(socket: Socket, encoding: string, body: Buffer): void {
  const headers = `Content-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n`
  socket.write(Buffer.concat([Buffer.from(`${OK}${headers}\r\n`), body]))
}
function end(socket: Socket, text: string): void {
  socket.end(text)
}

describe('a server that', () => {
  test.concurrent.each(HOSTILE)(
    '%s gets one outcome, and the next host its page',
    async (_, answer, kind, reason) => {
      await using server = await rawServer((socket, request) => {
        if (request.includes('good.example')) {
          const body = htmlOf('good')
          socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n${body}`)
        } else answer(socket)
      })
      await using fetcher = fetcherTo(server.port, { timeouts, concurrency: 2 })
      const [bad, good] = await outcomesOf(
        fetcher,
        requestsFor('http://bad.example/', 'http://good.example/'),
      )
      expect(bad).toMatchObject({ kind, reason: expect.stringMatching(reason) })
      expect(good).toMatchObject({ kind: 'page', page: { title: 'good' } })
    },
  )
})

test('a body longer than announced does not spoil the next answer', async () => {
  await using server = await rawServer((socket, request) => {
    const body = htmlOf(request.includes('/first') ? 'first' : 'second')
    const surplus = request.includes('/first') ? 'HTTP/1.1 200 OK\r\n\r\n<title>forged</title>' : ''
    socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n${body}${surplus}`)
  })
  await using fetcher = fetcherTo(server.port, { timeouts })
  const outcomes = await outcomesOf(
    fetcher,
    requestsFor('http://a.example/first', 'http://a.example/second'),
  )
  expect(outcomes[1]).not.toMatchObject({ page: { title: 'forged' } })
})
