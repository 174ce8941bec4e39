import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  fetcherTo,
  htmlOf,
  outcomesOf,
  rawServer,
  requestsFor,
} from './scripted-server.test-kit.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const patient = { connectMs: 20_000, firstByteMs: 20_000, totalMs: 40_000 }
/** Still long enough for a good server on a busy machine. */
const impatient = { connectMs: 20_000, firstByteMs: 3_000, totalMs: 4_000 }
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

type Case = [name: string, answer: (socket: Socket) => void, kind: string, reason: RegExp]

const SLOW: Case[] = [
  ['says nothing', () => {}, 'failed', /^first-byte timeout$/],
  ['drips its headers', slowHeaders, 'failed', /^first-byte timeout$/],
  ['drips its body', slowBody, 'failed', /^total timeout$/],
]

const HOSTILE: Case[] = [
  ['repeats its status line', (socket) => flood(socket, OK), 'failed', /^malformed HTTP/],
  ['goes on promising an answer', promises, 'failed', /^flood of 1xx answers$/],
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
  ['floods with one header', floodOfOneHeader, 'failed', /^headers too large$/],
  ['floods with headers', floodOfHeaders, 'failed', /^headers too large$/],
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
]

/** Of these the beginning is a page. */
const ENDLESS: [name: string, answer: (socket: Socket) => void][] = [
  ['never ends its body', endlessBody],
  ['promises a huge body', hugePromise],
]

function slowHeaders(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n')
  drip(socket, 'X-More: 1\r\n')
}
function slowBody(socket: Socket): void {
  socket.write(`${OK}\r\n<title>slow</title>`)
  drip(socket, 'word ')
}
function promises(socket: Socket): void {
  drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n')
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
function floodOfOneHeader(socket: Socket): void {
  socket.write(`${OK}X-Flood: `)
  flood(socket, 'a'.repeat(10_000))
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

/** What comes of a bad host and a good one, fetched together from one server. */
async function badAndGood(answer: (socket: Socket) => void, timeouts: typeof patient) {
  await using server = await rawServer((socket, request) => {
    if (request.includes('good.example')) {
      const body = htmlOf('good')
      socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n${body}`)
    } else answer(socket)
  })
  await using fetcher = fetcherTo(server.port, { timeouts, concurrency: 2 })
  const urls = ['http://bad.example/', 'http://good.example/']
  return await outcomesOf(fetcher, requestsFor(...urls))
}

describe('a server that', () => {
  test.each(HOSTILE)(
    '%s is one outcome, and no harm to others',
    async (_, answer, kind, reason) => {
      const [bad, good] = await badAndGood(answer, patient)
      expect(bad).toMatchObject({ kind, reason: expect.stringMatching(reason) })
      expect(good).toMatchObject({ kind: 'page', page: { title: 'good' } })
    },
  )

  test.each(ENDLESS)('%s is read up to the limit, and no harm to others', async (_, answer) => {
    const [bad, good] = await badAndGood(answer, patient)
    expect(bad).toMatchObject({ kind: 'page', page: { cut: true } })
    expect(good).toMatchObject({ kind: 'page', page: { title: 'good' } })
  })

  test.concurrent.each(SLOW)('%s is left in time', async (_, answer, kind, reason) => {
    const [bad, good] = await badAndGood(answer, impatient)
    expect(bad).toMatchObject({ kind, reason: expect.stringMatching(reason) })
    expect(good).toMatchObject({ kind: 'page', page: { title: 'good' } })
  })
})

test('a body longer than announced does not spoil the next answer', async () => {
  await using server = await rawServer((socket, request) => {
    const body = htmlOf(request.includes('/first') ? 'first' : 'second')
    const surplus = request.includes('/first') ? 'HTTP/1.1 200 OK\r\n\r\n<title>forged</title>' : ''
    socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n${body}${surplus}`)
  })
  await using fetcher = fetcherTo(server.port, { timeouts: patient })
  const outcomes = await outcomesOf(
    fetcher,
    requestsFor('http://a.example/first', 'http://a.example/second'),
  )
  expect(outcomes[1]).not.toMatchObject({ page: { title: 'forged' } })
})
