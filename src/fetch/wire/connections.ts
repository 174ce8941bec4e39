import type { buildConnector } from 'undici'
import { Line, LineClient } from './line.ts'
import { SocketOpener, type SocketOptions } from './open-socket.ts'
import { isLoopback, type ResolveRule, type Target, targetOf } from './resolve-rules.ts'
import { Pool } from './undici.ts'

export interface ConnectionOptions extends SocketOptions {
  readonly resolve: readonly ResolveRule[]
  readonly connectionsPerHost: number
  /** To some hosts there are others; for a pool that is about to be opened. */
  readonly connectionsTo?: (host: string) => number | undefined
  /** How long an unused connection may wait for its next request. */
  readonly idleMs: number
  /** Beyond this many origins the one unused for longest is closed. */
  readonly maxOrigins: number
}

/** Status line and headers of an answer; real ones need a tenth of this. */
const MAX_HEADER_BYTES = 64 * 1024
const HTTP2_WINDOW_BYTES = 65_535

/** The way to one origin. */
export interface Connection {
  readonly pool: Pool
  /** Headers that the way itself asks for. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers for the proxy alone: nobody else is to see them, nor any file. */
  readonly proxyHeaders: Readonly<Record<string, string>>
  /** True when a proxy takes the request and wants the whole URL in it. */
  readonly sendsWholeUrl: boolean
  /** Requests under way. */
  active: number
  /** True once the open connection has carried an answer: the server may drop it at any moment. */
  reused: boolean
  /** The address connected to last; nothing before the first connection, or behind a proxy. */
  address: string | undefined
}

/** Keep-alive connections by origin, opened when first wanted. */
export class Connections {
  readonly #options: ConnectionOptions
  readonly #sockets: SocketOpener
  /** In order of last use, oldest first. */
  readonly #byOrigin = new Map<string, Connection>()

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#sockets = new SocketOpener(options)
  }

  /** Origins that are connected to, or about to be. */
  get size(): number {
    return this.#byOrigin.size
  }

  /** The connection for a URL's origin. */
  to(url: URL): Connection {
    const connection = this.#byOrigin.get(url.origin) ?? this.#open(url)
    this.#byOrigin.delete(url.origin)
    this.#byOrigin.set(url.origin, connection)
    if (this.#byOrigin.size > this.#options.maxOrigins) this.#closeOldestIdle()
    return connection
  }

  /** Whether a look-up says where a URL's host is reached: not with `--resolve`, or by a proxy. */
  looksUp(url: URL): boolean {
    return this.#sockets.looksUp(targetOf(this.#options.resolve, url))
  }

  /** The address at which a URL's host would be reached now, if a look-up finds one. */
  locate(url: URL): Promise<string | undefined> {
    return this.#sockets.locate(targetOf(this.#options.resolve, url))
  }

  /** Whether nobody between us and a URL's host can read what is sent: by TLS, or as it stays on this machine. */
  isPrivateTo(url: URL): boolean {
    const target = targetOf(this.#options.resolve, url)
    const isHere = isLoopback(target.address) && !this.#proxyTo(target)
    if (url.protocol === 'https:') return target.scheme === 'https' || isHere
    return isHere && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
  }

  /** Drops every connection; requests under way fail. */
  async close(): Promise<void> {
    const connections = [...this.#byOrigin.values()]
    this.#byOrigin.clear()
    await Promise.all(connections.map(({ pool }) => pool.destroy()))
  }

  #open(url: URL): Connection {
    const { connectionsPerHost, connectionsTo, idleMs, resolve, http2 } = this.#options
    const target = targetOf(resolve, url)
    // The pool is named after the URL's host, so Host header and TLS name are right by themselves;
    // only the socket goes elsewhere.
    const pool: Pool = new Pool(`${target.scheme}://${url.host}`, {
      connections: connectionsTo?.(url.host) ?? connectionsPerHost,
      pipelining: 1,
      allowH2: http2 !== false,
      // A paused stream fills its window, which must not look like a flood around the body. undici 8.12 checks
      // `h2Options.settings.initialWindowSize`, but goes by this one.
      initialWindowSize: HTTP2_WINDOW_BYTES,
      maxHeaderSize: MAX_HEADER_BYTES,
      // http-get.ts keeps its own, exact time.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: Math.max(idleMs, 60_000),
      factory: (origin, options) => {
        const line = new Line()
        const connect: buildConnector.connector = (way, callback) => {
          this.#sockets.open(url, target, way).then(
            ({ socket, wire }) => {
              const isHttp2 = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2'
              line.watch(socket, wire, isHttp2)
              connection.reused = false
              connection.address = this.#proxyTo(target) ? undefined : wire.remoteAddress
              callback(null, socket)
            },
            (error: Error) => callback(error, null),
          )
        }
        return new LineClient(origin, { ...options, connect }, line)
      },
    })
    const connection = { pool, ...this.#wayTo(url, target), ...UNUSED }
    // Whoever waits for an answer hears of it first, and may ask once more.
    const dropSoon = () => setImmediate(() => this.#dropUnconnected(url.origin, connection))
    pool.on('disconnect', dropSoon).on('connectionError', dropSoon)
    return connection
  }

  /** A pool without connections has nothing to spare the next request, and takes 20 KB. */
  #dropUnconnected(origin: string, connection: Connection): void {
    const { active, pool } = connection
    if (active > 0 || pool.stats.connected > 0) return
    if (this.#byOrigin.get(origin) === connection) this.#byOrigin.delete(origin)
    void pool.destroy()
  }

  #wayTo(url: URL, target: Target) {
    const proxy = target.scheme === 'http' ? this.#proxyTo(target) : undefined
    return {
      headers: target.replaced ? { 'x-forwarded-proto': url.protocol.slice(0, -1) } : NO_HEADERS,
      proxyHeaders: proxy?.authorization
        ? { 'proxy-authorization': proxy.authorization }
        : NO_HEADERS,
      sendsWholeUrl: proxy !== undefined,
    }
  }

  #proxyTo(target: Target) {
    return target.replaced ? undefined : this.#options.proxy
  }

  #closeOldestIdle(): void {
    for (const [origin, { active, pool }] of this.#byOrigin) {
      if (active > 0) continue
      this.#byOrigin.delete(origin)
      void pool.destroy()
      return
    }
  }
}

const NO_HEADERS: Readonly<Record<string, string>> = {}
const UNUSED: Pick<Connection, 'active' | 'reused' | 'address'> = {
  active: 0,
  reused: false,
  address: undefined,
}
