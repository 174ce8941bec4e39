import { buildConnector, Pool } from 'undici'
import { type ResolveRule, targetOf } from './resolve-rules.ts'

export interface ConnectionOptions {
  readonly resolve: readonly ResolveRule[]
  readonly connectionsPerHost: number
  readonly connectMs: number
  /** How long an unused connection may wait for its next request. */
  readonly idleMs: number
  /** Beyond this many origins the one unused for longest is closed. */
  readonly maxOrigins: number
}

/** The way to one origin. */
export interface Connection {
  readonly pool: Pool
  /** Headers that the way itself asks for. */
  readonly headers: Readonly<Record<string, string>>
  /** Requests under way. */
  active: number
  /** True once the open connection has carried an answer: the server may drop it at any moment. */
  reused: boolean
}

/** Keep-alive connections by origin, opened when first wanted. */
export class Connections {
  readonly #options: ConnectionOptions
  /** In order of last use, oldest first. */
  readonly #byOrigin = new Map<string, Connection>()

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** The connection for a URL's origin. */
  to(url: URL): Connection {
    const connection = this.#byOrigin.get(url.origin) ?? this.#open(url)
    this.#byOrigin.delete(url.origin)
    this.#byOrigin.set(url.origin, connection)
    if (this.#byOrigin.size > this.#options.maxOrigins) this.#closeOldestIdle()
    return connection
  }

  /** Drops every connection; requests under way fail. */
  async close(): Promise<void> {
    const connections = [...this.#byOrigin.values()]
    this.#byOrigin.clear()
    await Promise.all(connections.map(({ pool }) => pool.destroy()))
  }

  #open(url: URL): Connection {
    const { connectionsPerHost, connectMs, idleMs, resolve } = this.#options
    const target = targetOf(resolve, url)
    const connect = buildConnector({ timeout: connectMs, allowH2: false })
    // The pool is named after the URL's host, so Host header and TLS name are right by themselves;
    // only the socket goes elsewhere.
    const pool = new Pool(`${target.scheme}://${url.host}`, {
      connections: connectionsPerHost,
      pipelining: 1,
      // http-get.ts keeps its own, exact time.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: Math.max(idleMs, 60_000),
      connect: (options, callback) =>
        connect({ ...options, hostname: target.address, port: String(target.port) }, callback),
    })
    const connection: Connection = {
      pool,
      headers: target.replaced ? { 'x-forwarded-proto': url.protocol.slice(0, -1) } : {},
      active: 0,
      reused: false,
    }
    pool.on('connect', () => {
      connection.reused = false
    })
    return connection
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
