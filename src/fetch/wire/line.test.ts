import { createSecureServer } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { FLOODS } from '../hostile-floods.test-kit.ts'
import { HTTP2_FLOODS, http2FloodServer } from '../http2-floods.test-kit.ts'
import { selfSigned } from '../self-signed.test-kit.ts'
import { listening, transport } from '../transport.test-kit.ts'
import { parseResolveRule } from './resolve-rules.ts'

const LIMITS = { maxBodyBytes: 10 << 20, keepExchange: false }
/** Beyond what we read, a flood fills the buffers of both systems: some megabytes, of 60 or so. */
const FAR_FROM_ALL = 24 << 20
/** What HTTP/2 lets a server send at first, on any connection. */
const WINDOW_BYTES = 65_535
const identity = selfSigned(['*.h2.example'])

/** GETs from a server of ours, whatever the host, and how much the latest connection was sent. */
async function webOf(server: Server, scheme: 'http' | 'https') {
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const listener = await listening(server)
  const web = transport({
    resolve: [parseResolveRule(`*=${scheme}://127.0.0.1:${listener.port}`)],
    ca: identity.cert,
  })
  return {
    get: web.get,
    async sentBytes() {
      const socket = sockets.at(-1)!
      if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
      return socket.bytesWritten
    },
    async [Symbol.asyncDispose]() {
      await web[Symbol.asyncDispose]()
      await listener[Symbol.asyncDispose]()
    },
  }
}

const answering = (answer: (socket: Socket) => void) =>
  webOf(
    createServer((socket) => socket.on('data', () => answer(socket))),
    'http',
  )

describe('a flood of HTTP/1', () => {
  test.each([
    ['oneByteChunks', /^flood around the body$/],
    ['smallChunks', /^flood around the body$/],
    ['extendedChunks', /^flood around the body$/],
    ['tinyHeaders', /^headers too large$|^flood around the body$/],
    ['tinyTrailers', /^headers too large$|^flood around the body$/],
    ['hundredContinues', /^flood of 1xx answers$/],
    ['earlyHints', /^flood of 1xx answers$/],
    ['emptyLinesFirst', /^flood around the body$/],
    ['oneBytePackets', /^flood around the body$/],
  ])('%s is hung up on early', async (name, reason) => {
    await using web = await answering(FLOODS[name]!)
    const answer = await web.get('http://a.example/', LIMITS)
    expect(answer).toMatchObject({ kind: 'failure', reason: expect.stringMatching(reason) })
    expect(await web.sentBytes()).toBeLessThan(FAR_FROM_ALL)
  })

  test('in records of TLS with one byte each is hung up on early', async () => {
    const server = createTlsServer(identity, (socket) =>
      socket.once('data', () => FLOODS.oneBytePackets!(socket)),
    )
    await using web = await webOf(server, 'https')
    const reason = 'flood around the body'
    expect(await web.get('https://a.h2.example/', LIMITS)).toMatchObject({ reason })
    expect(await web.sentBytes()).toBeLessThan(FAR_FROM_ALL)
  })

  test('after a good answer is hung up on too, and the answer stands', async () => {
    await using web = await answering(FLOODS.emptyLinesAfter!)
    expect(await web.get('http://a.example/', LIMITS)).toMatchObject({ status: 200, bytes: 2 })
    expect(await web.sentBytes()).toBeLessThan(FAR_FROM_ALL)
  })
})

describe('a flood of HTTP/2', () => {
  test.each(Object.keys(HTTP2_FLOODS))('%s is hung up on early', async (name) => {
    await using web = await webOf(http2FloodServer(identity), 'https')
    const url = `https://${name.toLowerCase()}.h2.example`
    expect(await web.get(`${url}/robots.txt`)).toMatchObject({ status: 404 })
    expect(await web.get(`${url}/`, LIMITS)).toMatchObject({
      kind: 'failure',
      reason: expect.stringMatching(/^flood|^malformed HTTP\/2$/),
    })
  })
})

test('a long body in HTTP/2 that waits for its turn is not taken for a flood', async () => {
  const body = Buffer.alloc(2 << 20, 'a')
  const server = createSecureServer(identity, (_, response) => response.end(body))
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => sockets.push(socket))
  await using web = await webOf(server, 'https')
  const waiting: (() => void)[] = []
  const heavy = {
    enter: (_bytes: number, goOn: () => void) => {
      if (waiting.length > 0) return true
      waiting.push(goOn)
      return false
    },
    [Symbol.dispose]: () => {},
  }
  const answer = web.get('https://a.h2.example/', { ...LIMITS, heavy })
  // It has sent all that it may while nobody reads.
  let sent = 0
  const hasStopped = () => {
    const before = sent
    sent = sockets[0]?.bytesWritten ?? 0
    return waiting.length > 0 && sent >= WINDOW_BYTES && sent === before
  }
  await expect.poll(hasStopped, { interval: 100, timeout: 20_000 }).toBe(true)
  waiting[0]()
  expect(await answer).toMatchObject({ status: 200, bytes: body.length })
})

describe('1xx answers', () => {
  const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
  const HEADS = [100, 102, 103, 199].map((status) => `HTTP/1.1 ${status} Wait\r\nX-A: 1\r\n\r\n`)

  test.each([...HEADS, HEADS.join(''), HEADS.join('').repeat(5)])(
    'are passed over in HTTP/1: %j',
    async (heads) => {
      await using web = await answering((socket) => socket.write(heads + OK))
      for (let round = 0; round < 2; round++) {
        const answer = await web.get('http://a.example/')
        expect(answer).toMatchObject({ kind: 'answer', status: 200, bytes: 2 })
        expect(answer.exchange!.responseHead).toMatch(/^HTTP\/1.1 200/)
      }
    },
  )

  test('are passed over in HTTP/2', async () => {
    const server = createSecureServer(identity, (_, response) => {
      response.writeContinue()
      response.stream.additionalHeaders({ ':status': 102 })
      response.writeEarlyHints({ link: '</x>; rel=preload' })
      response.end('ok')
    })
    await using web = await webOf(server, 'https')
    for (let round = 0; round < 2; round++)
      expect(await web.get('https://a.h2.example/')).toMatchObject({ status: 200, bytes: 2 })
  })

  test.each([
    ['HTTP/1.1 000 Nothing', 'malformed HTTP (status 0)'],
    ['HTTP/1.1 099 Low', 'malformed HTTP (status 99)'],
    ['HTTP/1.1 101 Switching', 'malformed HTTP (upgrade nobody asked for)'],
    ['HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade', 'malformed HTTP (bad upgrade)'],
    ['HTTP/1.1 1000 Many', 'malformed HTTP (Invalid response status)'],
    ['HTTP/1.1 ABC Letters', 'malformed HTTP (Invalid status code)'],
  ])('but %j is no answer, and the reason says so', async (head, reason) => {
    await using web = await answering((socket) =>
      socket.write(`${head}\r\nContent-Length: 0\r\n\r\n`),
    )
    expect(await web.get('http://a.example/')).toMatchObject({ kind: 'failure', reason })
  })
})

test('a request that is broken off is not finished by the system later: its connection is reset', async () => {
  const broken = Promise.withResolvers<string>()
  const asked = Promise.withResolvers<void>()
  const server = createServer((socket) =>
    socket
      .on('error', ({ code }: NodeJS.ErrnoException) => broken.resolve(code!))
      .on('end', () => broken.resolve('an orderly end'))
      .on('data', () => asked.resolve()),
  )
  await using web = await webOf(server, 'http')
  const end = new AbortController()
  const answer = web.get('http://a.example/', { end: end.signal })
  await asked.promise
  end.abort()
  expect(await answer).toMatchObject({ kind: 'failure', sent: true })
  expect(await broken.promise).toBe('ECONNRESET')
})
