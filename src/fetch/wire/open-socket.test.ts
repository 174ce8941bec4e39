import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createSocketServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { selfSigned } from '../self-signed.test-kit.ts'
import { listening, smallProxy, transport } from '../transport.test-kit.ts'
import { parseProxy } from './proxy.ts'
import { parseResolveRule } from './resolve-rules.ts'

const text = (body: Uint8Array) => Buffer.from(body).toString()
const plainServer = () => listening(createServer((_, response) => response.end('hello')))

describe('addresses that are not the public web', () => {
  test.each([
    ['http://127.0.0.1/', 'loopback address 127.0.0.1'],
    ['http://2130706433/', 'loopback address 127.0.0.1'],
    ['http://0x7f.1/', 'loopback address 127.0.0.1'],
    ['http://0177.0.0.1/', 'loopback address 127.0.0.1'],
    ['https://[::1]/', 'loopback address ::1'],
    ['http://[::ffff:127.0.0.1]/', 'loopback address ::ffff:7f00:1'],
    ['http://10.0.0.1/', 'private address 10.0.0.1'],
    ['http://169.254.169.254/latest/meta-data/', 'link-local address 169.254.169.254'],
    ['http://example.org:22/', 'port 22'],
    ['http://example.org:6667/', 'port 6667'],
  ])('%s is refused before anything is sent', async (url, reason) => {
    await using web = transport({ lookup: async () => ['203.0.114.1'] })
    expect(await web.get(url)).toEqual({ kind: 'failure', reason, sent: false, forbidden: true })
  })

  test('a name that leads to one is refused, and nobody is connected to', async () => {
    await using server = await plainServer()
    await using web = transport({ lookup: async () => ['127.0.0.1', '::1'] })
    expect(await web.get(`http://evil.example:${server.port}/`)).toEqual({
      kind: 'failure',
      reason: 'loopback address 127.0.0.1',
      sent: false,
      forbidden: true,
    })
    expect(server.connections()).toBe(0)
  })

  test('localhost is refused as the system knows it', async () => {
    await using server = await plainServer()
    await using web = transport()
    expect(await web.get(`http://localhost:${server.port}/`)).toMatchObject({
      reason: expect.stringMatching(/^loopback address (127\.0\.0\.1|::1)$/),
      forbidden: true,
    })
    expect(server.connections()).toBe(0)
  })

  test('a name is looked up once to be checked and connected to: one that changes meanwhile gains nothing', async () => {
    await using server = await plainServer()
    let asked = 0
    // A rebinding name server: nobody's address for whoever asks first, the server's ever after.
    const lookup = async () => [asked++ === 0 ? '::1' : '127.0.0.1']
    await using web = transport({ lookup, allowPrivate: true })
    expect(await web.get(`http://rebind.example:${server.port}/`)).toMatchObject({
      kind: 'failure',
      sent: false,
    })
    expect(asked).toBe(1)
    expect(server.connections()).toBe(0)
  })

  test('are fine for who allows them', async () => {
    await using server = await plainServer()
    await using web = transport({ allowPrivate: true, lookup: async () => ['127.0.0.1'] })
    expect(await web.get(`http://intranet.example:${server.port}/`)).toMatchObject({ status: 200 })
    expect(await web.get(`http://127.0.0.1:${server.port}/`)).toMatchObject({ status: 200 })
  })

  test('are all there is for who asks nobody else', async () => {
    await using server = await plainServer()
    const lookup = async (host: string) => [host === 'here.example' ? '127.0.0.1' : '192.0.2.1']
    await using web = transport({ allowPrivate: true, onlyThisMachine: true, lookup })
    expect(await web.get(`http://here.example:${server.port}/`)).toMatchObject({ status: 200 })
    expect(await web.get(`http://192.0.2.1:${server.port}/`)).toMatchObject({ forbidden: true })
    expect(await web.get(`http://away.example:${server.port}/`)).toMatchObject({
      ...{ forbidden: true, reason: 'no contact' },
    })
  })

  test('are fine where resolve names them, and only there', async () => {
    await using server = await plainServer()
    await using web = transport({
      resolve: [parseResolveRule(`a.example=127.0.0.1:${server.port}`)],
      lookup: async () => ['127.0.0.1'],
    })
    expect(await web.get('http://a.example/')).toMatchObject({ status: 200 })
    expect(await web.get(`http://b.example:${server.port}/`)).toMatchObject({ forbidden: true })
  })
})

describe('a host with several addresses', () => {
  test('is reached only where a connection may be opened now, and waits for that', async () => {
    await using server = await plainServer()
    const asked: string[] = []
    const options = {
      allowPrivate: true,
      lookup: async () => ['127.0.0.1'],
      mayConnect: (host: string, address: string) => {
        asked.push(`${host} ${address}`)
        return asked.length === 3
      },
    }
    await using web = transport(options)
    const host = `a.example:${server.port}`
    expect(await web.get(`http://${host}/`)).toMatchObject({ status: 200 })
    expect(asked).toEqual(Array(3).fill(`${host} 127.0.0.1`))
    await using full = transport({ ...options, connectMs: 100 })
    expect(await full.get(`http://${host}/`)).toMatchObject({ reason: 'connect timeout' })
  })

  test('is reached at the first that answers, which then comes first', async () => {
    await using server = await plainServer()
    const lookup = async () => ['::1', '127.0.0.1']
    await using web = transport({ allowPrivate: true, lookup })
    const url = `http://many.example:${server.port}/`
    const answer = await web.get(url)
    expect(answer).toMatchObject({ status: 200, exchange: { ip: '127.0.0.1' } })
    expect(await web.connections.locate(new URL(url))).toBe('127.0.0.1')
    const other = new URL(`http://other.example:${server.port}/`)
    expect(await web.connections.locate(other), 'IPv6 does not get through').toBe('127.0.0.1')
  })

  test('is not found when the name server says so, or says nothing in time', async () => {
    const lookup = (host: string) =>
      host === 'silent.example'
        ? new Promise<string[]>(() => {})
        : Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    await using web = transport({ lookup, connectMs: 50 })
    expect(await web.get('http://nobody.example/')).toMatchObject({ reason: 'host not found' })
    expect(await web.get('http://silent.example/')).toMatchObject({ reason: 'DNS timeout' })
  })
})

describe('TLS', () => {
  const good = selfSigned(['good.example'])
  const options = (ca?: string) => ({
    allowPrivate: true,
    lookup: async () => ['127.0.0.1'],
    ...(ca && { ca }),
  })

  test('speaks HTTP/2 with servers that do', async () => {
    const server = createSecureServer(good, (request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.end(`over ${request.httpVersion} to ${request.authority}`)
    })
    await using listener = await listening(server)
    await using web = transport(options(good.cert))
    const answer = await web.get(`https://good.example:${listener.port}/a?b`)
    if (answer.kind !== 'answer') throw new Error(answer.reason)
    expect(text(answer.body)).toBe(`over 2.0 to good.example:${listener.port}`)
    expect(answer.exchange!.requestHead).toMatch(/^GET \/a\?b HTTP\/1\.1\r\nhost: good\.example/)
    expect(answer.exchange!.responseHead).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer.exchange!.responseHead).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n/)
    const again = await web.get(`https://good.example:${listener.port}/`)
    expect(again).toMatchObject({ status: 200 })
    expect(listener.connections()).toBe(1)
  })

  test('keeps every limit over HTTP/2, and the connection for the next request', async () => {
    const server = createSecureServer(good)
    server.on('stream', (stream, { ':path': path }) => {
      stream.on('error', () => {})
      if (path === '/silent') return
      if (path === '/resets') return stream.close(2)
      if (path === '/headers')
        return stream.respond({ ':status': 200, 'x-huge': 'h'.repeat(70_000) })
      stream.respond({ ':status': 200, 'content-type': 'text/html' })
      if (path === '/fine') return stream.end('fine')
      const more = () => {
        while (!stream.destroyed && stream.write('word '.repeat(1_000)));
      }
      stream.on('drain', more)
      more()
    })
    await using listener = await listening(server)
    await using web = transport(options(good.cert))
    const get = (path: string, limits = {}) =>
      web.get(`https://good.example:${listener.port}${path}`, limits)
    expect(await get('/endless', { maxBodyBytes: 50_000 })).toMatchObject({
      truncated: true,
      exchange: { truncated: 'length' },
    })
    expect(await get('/silent', { firstByteMs: 50 })).toMatchObject({
      reason: 'first-byte timeout',
    })
    expect(await get('/resets')).toMatchObject({ kind: 'failure', sent: true })
    expect(await get('/fine')).toMatchObject({ status: 200, bytes: 4 })
    expect(listener.connections()).toBe(1)
    expect(await get('/headers')).toMatchObject({ kind: 'failure' })
    expect(await get('/fine')).toMatchObject({ status: 200 })
  })

  test('speaks HTTP/1.1 with servers that know nothing newer, or when told to', async () => {
    const old = createTlsServer(good, (request, response) => response.end(request.httpVersion))
    await using listener = await listening(old)
    await using web = transport(options(good.cert))
    const answer = await web.get(`https://good.example:${listener.port}/`)
    expect(answer.kind === 'answer' && text(answer.body)).toBe('1.1')
    const both = createSecureServer({ ...good, allowHTTP1: true }, (request, response) =>
      response.end(request.httpVersion),
    )
    await using second = await listening(both)
    await using oldFashioned = transport({ ...options(good.cert), http2: false })
    const plain = await oldFashioned.get(`https://good.example:${second.port}/`)
    expect(plain.kind === 'answer' && text(plain.body)).toBe('1.1')
  })

  test.each([
    ['nobody vouches for', good, undefined, 'TLS (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    [
      'is another host’s',
      selfSigned(['other.example']),
      'own',
      'TLS (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    ['is out of date', selfSigned(['good.example'], 0.5), 'own', 'TLS (CERT_HAS_EXPIRED)'],
  ])('a certificate that %s is a failure', async (_, certificate, ca, reason) => {
    const server = createTlsServer(certificate, (_request, response) => response.end('secret'))
    await using listener = await listening(server)
    await using web = transport(options(ca && certificate.cert))
    expect(await web.get(`https://good.example:${listener.port}/`)).toEqual({
      kind: 'failure',
      reason,
      sent: false,
    })
  })

  test('towards a server that does not speak it is a failure', async () => {
    await using server = await plainServer()
    await using web = transport(options())
    expect(await web.get(`https://good.example:${server.port}/`)).toMatchObject({
      kind: 'failure',
      reason: expect.stringMatching(/^TLS \(/),
    })
  })

  test('that never gets through its handshake is left in time', async () => {
    const closed = Promise.withResolvers<unknown>()
    await using server = await listening(
      createSocketServer((socket) => socket.resume().on('close', closed.resolve)),
    )
    await using web = transport({ ...options(), connectMs: 100 })
    expect(await web.get(`https://good.example:${server.port}/`)).toMatchObject({
      reason: 'connect timeout',
      sent: false,
    })
    await closed.promise // nothing is left open
  })
})

describe('a proxy', () => {
  const certificate = selfSigned(['secure.example'])

  test('gets the whole URL of a plain request, and its password goes nowhere else', async () => {
    await using proxy = await smallProxy(0)
    await using web = transport({
      proxy: parseProxy(`http://me:pass%20word@127.0.0.1:${proxy.port}`),
    })
    const answer = await web.get('http://far.example/page?q=1')
    if (answer.kind !== 'answer') throw new Error(answer.reason)
    expect(text(answer.body)).toBe('proxied')
    expect(proxy.heads[0]).toMatch(/^GET http:\/\/far\.example\/page\?q=1 HTTP\/1\.1\r\n/)
    expect(proxy.heads[0]).toMatch(/host: far\.example\r\n/)
    expect(proxy.heads[0]).toContain(Buffer.from('me:pass word').toString('base64'))
    expect(answer.exchange!.requestHead).not.toMatch(/proxy/i)
    expect(answer.exchange!.requestHead).toMatch(/^GET \/page\?q=1 HTTP/)
    expect(answer.exchange).not.toHaveProperty('ip')
  })

  test('is asked for a tunnel to https servers, and TLS ends at the server', async () => {
    const server = createSecureServer(certificate, (_, response) => response.end('end to end'))
    await using listener = await listening(server)
    await using proxy = await smallProxy(listener.port)
    await using web = transport({
      proxy: parseProxy(`http://127.0.0.1:${proxy.port}`),
      ca: certificate.cert,
    })
    const answer = await web.get('https://secure.example/')
    expect(answer.kind === 'answer' && text(answer.body)).toBe('end to end')
    expect(proxy.heads[0]).toMatch(/^CONNECT secure\.example:443 HTTP\/1\.1\r\n/)
  })

  test('that refuses is a failure with its word', async () => {
    await using proxy = await smallProxy(0, '407 Proxy Authentication Required')
    await using web = transport({ proxy: parseProxy(`http://127.0.0.1:${proxy.port}`) })
    expect(await web.get('https://secure.example/')).toMatchObject({
      kind: 'failure',
      reason: 'proxy answers 407',
      sent: false,
    })
  })

  test('still gets no request for an address we do not go to', async () => {
    await using proxy = await smallProxy(0)
    await using web = transport({ proxy: parseProxy(`http://127.0.0.1:${proxy.port}`) })
    expect(await web.get('http://10.0.0.1/')).toMatchObject({ forbidden: true })
    expect(proxy.heads).toEqual([])
  })

  test.each(['', 'localhost:8080', 'socks5://a:1', 'http://a/path', 'https://a:1'])(
    'named %j is not understood',
    (value) => {
      expect(() => parseProxy(value)).toThrow(/proxy .* write it as/)
    },
  )
})
