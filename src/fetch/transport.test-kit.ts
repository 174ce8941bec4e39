import {
  type AddressInfo,
  connect,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from 'node:net'
import { type GetLimits, httpGet } from './http/http-get.ts'
import { type ConnectionOptions, Connections } from './wire/connections.ts'

const PATIENT: GetLimits = {
  connectMs: 20_000,
  firstByteMs: 20_000,
  totalMs: 40_000,
  maxBodyBytes: 1_000_000,
}

interface GetOptions extends Partial<GetLimits> {
  readonly headers?: Record<string, string>
  readonly keepExchange?: boolean
  readonly wants?: true | 'whole'
}

/** GETs over real sockets, below robots.txt and manners. */
export function transport(options: Partial<ConnectionOptions> = {}) {
  const connections = new Connections({
    resolve: [],
    connectionsPerHost: 1,
    connectMs: 20_000,
    idleMs: 4_000,
    maxOrigins: 100,
    ...options,
  })
  return {
    connections,
    get: (
      url: string,
      { headers = {}, keepExchange = true, wants = true, ...limits }: GetOptions = {},
    ) =>
      httpGet(
        connections.to(new URL(url)),
        new URL(url),
        { 'user-agent': 'forager-test', ...headers },
        { ...PATIENT, ...limits },
        (status) => status === 200 && wants,
        keepExchange ? { now: () => 1_000 } : undefined,
      ),
    [Symbol.asyncDispose]: () => connections.close(),
  }
}

/** Listens on a free port, and hangs up on everybody when disposed. */
export async function listening<T extends Server>(server: T, address = '127.0.0.1') {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  return {
    server,
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** A small HTTP proxy: tunnels CONNECT to `target`, answers plain requests itself, notes the heads. */
export async function smallProxy(target: number, refuse?: string) {
  const heads: string[] = []
  const proxy = createSocketServer((client) => {
    client.once('data', (data) => {
      const head = data.toString('latin1')
      heads.push(head)
      if (refuse) client.end(`HTTP/1.1 ${refuse}\r\nContent-Length: 0\r\n\r\n`)
      else if (head.startsWith('CONNECT ')) {
        const upstream = connect(target, '127.0.0.1', () => {
          client.write('HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n')
          client.pipe(upstream).pipe(client)
        })
        upstream.on('error', () => client.destroy())
        client.on('close', () => upstream.destroy())
      } else
        client.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\nproxied')
    })
  })
  return Object.assign(await listening(proxy), { heads })
}
