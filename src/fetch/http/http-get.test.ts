import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { listening, transport } from '../transport.test-kit.ts'
import { parseResolveRule } from '../wire/resolve-rules.ts'

/** A server that answers each request with the bytes `answer` writes, and notes what it was sent. */
async function rawSite(answer: (socket: Socket, path: string) => void) {
  const heads: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      const head = data.toString('latin1')
      heads.push(head)
      answer(socket, head.split(' ')[1]!)
    })
  })
  const listener = await listening(server)
  const web = transport({ resolve: [parseResolveRule(`*=127.0.0.1:${listener.port}`)] })
  return {
    heads,
    get: web.get,
    connections: listener.connections,
    async [Symbol.asyncDispose]() {
      await web[Symbol.asyncDispose]()
      await listener[Symbol.asyncDispose]()
    },
  }
}

/** Writes for as long as somebody listens. */
function flood(socket: Socket, chunk: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'

describe('the exchange', () => {
  test('has both heads as they went over the wire, in order and case', async () => {
    const head =
      'HTTP/1.1 200 Fine by me\r\nX-First: 1\r\ncontent-TYPE: text/html\r\nSet-Cookie: a\r\nSet-Cookie: b\r\nX-Umlaut: gr\xfcn\r\nContent-Length: 2\r\n\r\n'
    await using site = await rawSite((socket) => socket.write(Buffer.from(`${head}ok`, 'latin1')))
    const answer = await site.get('http://a.example/path?q=%20', {
      headers: { accept: 'text/html' },
    })
    if (answer.kind !== 'answer') throw new Error(answer.reason)
    expect(answer.exchange).toEqual({
      requestHead: site.heads[0],
      responseHead: head,
      body: Buffer.from('ok'),
      ip: '127.0.0.1',
      startedAt: 1_000,
    })
    expect(site.heads[0]).toMatch(/^GET \/path\?q=%20 HTTP\/1\.1\r\nhost: a\.example\r\n/)
  })

  test('keeps the body packed as it came', async () => {
    const packed = gzipSync('words')
    await using site = await rawSite((socket) => {
      socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`)
      socket.write(packed)
    })
    const { exchange } = await site.get('http://a.example/')
    expect(exchange!.body).toEqual(packed)
    expect(exchange).not.toHaveProperty('truncated')
  })

  test('keeps a small body that nobody wanted, such as an error page', async () => {
    await using site = await rawSite((socket) =>
      socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone'),
    )
    const answer = await site.get('http://a.example/')
    expect(answer).toMatchObject({ status: 404, bytes: 4, exchange: { body: Buffer.from('none') } })
    expect(answer.kind === 'answer' && answer.body).toHaveLength(0)
  })

  test('says where it was cut for its length', async () => {
    await using site = await rawSite((socket) =>
      socket.write(`${OK}Content-Length: 5000\r\n\r\n${'x'.repeat(5000)}`),
    )
    const answer = await site.get('http://a.example/', { maxBodyBytes: 100 })
    expect(answer).toMatchObject({ truncated: true, exchange: { truncated: 'length' } })
    expect(answer.exchange!.body).toHaveLength(100)
  })

  test('says so when the body was refused for its type or status', async () => {
    await using site = await rawSite((socket) =>
      socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 99999\r\n\r\n'),
    )
    expect(await site.get('http://a.example/')).toMatchObject({
      status: 404,
      truncated: false,
      exchange: { truncated: 'length', body: Buffer.alloc(0) },
    })
  })

  test('keeps what came before time ran out, or the server left', async () => {
    await using site = await rawSite((socket, path) => {
      socket.write(`${OK}Content-Length: 5000\r\n\r\nhalf a word`)
      if (path === '/leaves') socket.end()
    })
    const body = Buffer.from('half a word')
    expect(await site.get('http://a.example/stays', { totalMs: 1_500 })).toMatchObject({
      kind: 'failure',
      reason: 'total timeout',
      status: 200,
      exchange: { truncated: 'time', body },
    })
    expect(await site.get('http://a.example/leaves')).toMatchObject({
      kind: 'failure',
      status: 200,
      exchange: { truncated: 'disconnect', body },
    })
  })

  test('is kept only when asked for', async () => {
    await using site = await rawSite((socket) => socket.write(`${OK}Content-Length: 0\r\n\r\n`))
    expect(await site.get('http://a.example/', { keepExchange: false })).not.toHaveProperty(
      'exchange',
    )
  })
})

describe('limits', () => {
  test('hold for the one request that names them, not for the next on the same connection', async () => {
    await using site = await rawSite((socket) =>
      socket.write(`${OK}Content-Length: 50\r\n\r\n${'x'.repeat(50)}`),
    )
    expect(await site.get('http://a.example/')).toMatchObject({ bytes: 50, truncated: false })
    expect(await site.get('http://a.example/', { maxBodyBytes: 10 })).toMatchObject({
      truncated: true,
    })
    expect(await site.get('http://a.example/')).toMatchObject({ bytes: 50, truncated: false })
  })

  test('a body of exactly the limit is whole', async () => {
    await using site = await rawSite((socket) =>
      socket.write(`${OK}Content-Length: 50\r\n\r\n${'x'.repeat(50)}`),
    )
    expect(await site.get('http://a.example/', { maxBodyBytes: 50 })).toMatchObject({
      truncated: false,
    })
  })

  test('a body of use only as a whole is not begun when it announces too much', async () => {
    await using site = await rawSite((socket) => socket.write(`${OK}Content-Length: 5000\r\n\r\n`))
    const limits = { maxBodyBytes: 4_999, wants: 'whole' } as const
    expect(await site.get('http://a.example/', limits)).toMatchObject({
      truncated: true,
      bytes: 0,
      exchange: { truncated: 'length' },
    })
  })

  test('a 304 that names the length of what it does not send keeps its connection', async () => {
    await using site = await rawSite((socket) =>
      socket.write('HTTP/1.1 304 Not Modified\r\nContent-Length: 99999\r\n\r\n'),
    )
    for (let round = 0; round < 3; round++) {
      const answer = await site.get('http://a.example/')
      expect(answer).toMatchObject({ status: 304, truncated: false, bytes: 0 })
      expect(answer.exchange).not.toHaveProperty('truncated')
    }
  })

  test('headers beyond 64 KiB are too many, however they are cut', async () => {
    await using site = await rawSite((socket, path) => {
      const kibibytes = path === '/many' ? 70 : 40
      const headers = `X-Long: ${'y'.repeat(1000)}\r\n`.repeat(kibibytes)
      socket.write(`${OK}${headers}Content-Length: 0\r\n\r\n`)
    })
    expect(await site.get('http://a.example/some')).toMatchObject({ status: 200 })
    expect(await site.get('http://a.example/many')).toMatchObject({ reason: 'headers too large' })
  })

  test('trailers without end are cut off too', async () => {
    await using site = await rawSite((socket) => {
      socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`)
      flood(socket, `X-Trailer: ${'z'.repeat(1000)}\r\n`)
    })
    expect(await site.get('http://a.example/')).toMatchObject({ kind: 'failure' })
  })

  test.each([
    ['chunk extensions', `${OK}Transfer-Encoding: chunked\r\n\r\n1;`, 'name=value;'],
    ['empty lines', '', '\r\n'],
    ['a status text', 'HTTP/1.1 200 ', 'OK '],
  ])('%s without end are a flood, left after a few hundred kilobytes', async (_, start, more) => {
    await using site = await rawSite((socket) => {
      socket.write(start)
      flood(socket, more.repeat(1000))
    })
    expect(await site.get('http://a.example/')).toMatchObject({
      kind: 'failure',
      reason: 'flood around the body',
      sent: true,
    })
  })

  test('a small body in chunks of one byte, and a large one in chunks of 64, are no flood', async () => {
    await using site = await rawSite((socket, path) => {
      const [count, size] = path === '/small' ? [20_000, 1] : [15_000, 64]
      const chunks = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count)
      socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
    })
    for (let round = 0; round < 3; round++) {
      expect(await site.get('http://a.example/small')).toMatchObject({ bytes: 20_000 })
      expect(await site.get('http://a.example/large')).toMatchObject({ bytes: 960_000 })
    }
    expect(site.connections()).toBe(1)
  })

  test('a request that no connection takes is given up', async () => {
    await using web = transport({ lookup: () => new Promise(() => {}), connectMs: 1_000_000 })
    expect(await web.get('http://a.example/', { connectMs: 30, totalMs: 20 })).toEqual({
      kind: 'failure',
      reason: 'connect timeout',
      sent: false,
    })
  })
})

test('a worn-out connection is tried once more, after a rest as after any request', async () => {
  let requests = 0
  await using site = await rawSite((socket) => {
    requests++
    if (requests === 2) socket.resetAndDestroy()
    else socket.write(`${OK}Content-Length: 0\r\n\r\n`)
  })
  const rests: number[] = []
  const restFor = (restMs: number) => (ms: number) => {
    rests.push(ms)
    return restMs
  }
  expect(await site.get('http://a.example/')).toMatchObject({ status: 200 })
  const startedAt = performance.now()
  const limits = { retryRestMs: restFor(50) }
  expect(await site.get('http://a.example/', limits)).toMatchObject({ status: 200 })
  expect(performance.now() - startedAt).toBeGreaterThan(48)
  expect(rests).toHaveLength(1)
  requests = 1
  expect(await site.get('http://a.example/', { retryRestMs: restFor(60_000) })).toMatchObject({
    reason: 'connection reset',
  })
})

test('a busy server’s Retry-After comes with the answer', async () => {
  await using site = await rawSite((socket) =>
    socket.write('HTTP/1.1 503 Busy\r\nRetry-After: 90\r\nContent-Length: 0\r\n\r\n'),
  )
  expect(await site.get('http://a.example/')).toMatchObject({ status: 503, retryAfterSeconds: 90 })
})
