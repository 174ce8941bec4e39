import { createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, test } from 'vitest'
import { selfSigned } from './self-signed.test-kit.ts'
import { listening, transport } from './transport.test-kit.ts'

const certificate = selfSigned(['a.example'])

type Treat<T> = (it: T) => void
const quietly =
  <T extends { on(event: 'error', listener: () => void): unknown }>(treat: Treat<T>) =>
  (it: T) => {
    it.on('error', () => {})
    treat(it)
  }

const tcp = (treat: Treat<Socket>) => createServer(quietly(treat))
const tls = (treat: Treat<Socket>) => createTlsServer(certificate, quietly(treat))
const h2 = (treat: Treat<Socket>) =>
  createTlsServer({ ...certificate, ALPNProtocols: ['h2'] }, quietly(treat))
const session = (treat: Treat<ServerHttp2Session>) =>
  createSecureServer(certificate)
    .on('session', quietly(treat))
    .on(
      'stream',
      quietly<ServerHttp2Stream>(() => {}),
    )
const stream = (treat: Treat<ServerHttp2Stream>) =>
  createSecureServer(certificate).on('stream', quietly(treat))

const LEAVING: [name: string, scheme: string, server: () => Server][] = [
  ['closes every connection', 'http', () => tcp((socket) => socket.end())],
  ['drops every connection', 'http', () => tcp((socket) => socket.destroy())],
  ['resets every connection', 'http', () => tcp((socket) => socket.resetAndDestroy())],
  ['closes before TLS', 'https', () => tcp((socket) => socket.end())],
  ['closes after TLS', 'https', () => tls((socket) => socket.end())],
  ['drops after TLS', 'https', () => tls((socket) => socket.destroy())],
  ['promises HTTP/2 and closes', 'https', () => h2((socket) => socket.end())],
  [
    'promises HTTP/2 and talks rubbish',
    'https',
    () => h2((socket) => socket.write('x'.repeat(1e5))),
  ],
  ['says GOAWAY for a hello', 'https', () => session((it) => it.goaway(1))],
  ['closes its HTTP/2 session', 'https', () => session((it) => it.close())],
  ['drops its HTTP/2 session', 'https', () => session((it) => it.destroy())],
  ['drops the session that asks', 'https', () => stream((it) => it.session?.destroy())],
  ['resets every stream', 'https', () => stream((it) => it.close(7))],
]

test.each(LEAVING)(
  'a server that %s is a failure, and is not tried for ever',
  async (_, scheme, make) => {
    let visits = 0
    const server = make().on('connection', () => visits++)
    await using listener = await listening(server)
    await using web = transport({
      allowPrivate: true,
      lookup: async () => ['127.0.0.1'],
      ca: certificate.cert,
    })
    const answer = await web.get(`${scheme}://a.example:${listener.port}/`)
    expect(answer).toMatchObject({
      kind: 'failure',
      reason: expect.stringMatching(/^(connection|malformed|TLS)/),
    })
    expect(visits).toBeLessThanOrEqual(3)
  },
)
