import { isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { buildConnector as connectors } from 'undici'
import { addressRefusal, ForbiddenTarget, publicAddresses, urlRefusal } from './address-guard.ts'
import { DnsCache, type Lookup } from './dns-cache.ts'
import { codeOf, TimeoutError } from './failure-reason.ts'
import { type HttpProxy, openTunnel } from './proxy.ts'
import { isLoopback, type Target } from './resolve-rules.ts'
import { buildConnector } from './undici.ts'

/** What a user may say about connections. */
export interface TransportOptions {
  /** Lets private, loopback and other addresses that are not the public web's through. */
  readonly allowPrivate?: boolean
  /** Nobody but this machine is connected to. */
  readonly onlyThisMachine?: boolean
  /** With a proxy only addresses written in the URL can be judged: names are its to look up. */
  readonly proxy?: HttpProxy
  /** Certificates in PEM that are trusted beside the system's. */
  readonly ca?: string
  /** Offers HTTP/2 to https servers; yes unless false. */
  readonly http2?: boolean
  readonly lookup?: Lookup
}

export interface SocketOptions extends TransportOptions {
  /** For all of it: the look-up, every address tried, TLS. */
  readonly connectMs: number
  /** Whether a connection for a host (with its port) may be opened to an address now; asked until it may. */
  readonly mayConnect?: (host: string, address: string) => boolean
}

/** An address that does not answer leaves time for the next one. */
const ATTEMPT_MS = 2_500
/** How often a place at an address is asked for that others have taken. */
const RETRY_MS = 20
/** So long IPv4 comes first after IPv6 did not get through. */
const IPV4_FIRST_MS = 60_000
/** Another address of the same host may do better. */
const UNREACHABLE =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|ECONNRESET|EINVAL)$/

type ConnectOptions = connectors.Options

/** A connected socket, and the one below its TLS; without TLS the same. */
interface OpenSocket {
  readonly socket: Socket
  readonly wire: Socket
}

/**
 * Opens sockets. The address that was looked up and judged is the one connected to, so a name that
 * changes its address between the two gains nothing.
 */
export class SocketOpener {
  readonly #options: SocketOptions
  readonly #dns: DnsCache
  readonly #connect: connectors.connector
  #ipv4FirstUntil = 0

  constructor(options: SocketOptions) {
    this.#options = options
    this.#dns = new DnsCache(options.lookup && { lookup: options.lookup })
    const trusted = options.ca && [...getCACertificates('default'), options.ca]
    this.#connect = buildConnector({
      timeout: 0, // the time is kept here
      allowH2: options.http2 !== false,
      // Made once: a context of its own for every connection would read all certificates again.
      secureContext: createSecureContext(trusted ? { ca: trusted } : {}),
    })
  }

  /**
   * The address that a connection would go to; nothing without one, or where it does not
   * matter: `--resolve` puts another in its place, a proxy looks it up itself.
   */
  async locate(target: Target): Promise<string | undefined> {
    if (!this.looksUp(target)) return undefined
    const deadline = performance.now() + this.#options.connectMs
    const [address] = await this.#addressesOf(target.address, deadline).catch(() => [])
    // The name may be looked up again before we connect: its addresses may then come in another order.
    if (address !== undefined) this.#dns.prefer(target.address, address)
    return address
  }

  /** Whether a connection goes where a look-up says. */
  looksUp(target: Target): boolean {
    return !target.replaced && !this.#options.proxy
  }

  /** A connected socket for a URL's origin: TLS done, or the tunnel through the proxy open. */
  async open(url: URL, target: Target, options: ConnectOptions): Promise<OpenSocket> {
    const deadline = performance.now() + this.#options.connectMs
    const { proxy } = this.#options
    if (!target.replaced) {
      this.#checkUrl(url, target)
      if (proxy) return this.#openThrough(proxy, target, options, deadline)
    }
    const addresses = target.replaced
      ? [target.address] // whoever writes --resolve wants it so
      : await this.#addressesOf(target.address, deadline)
    const { mayConnect, onlyThisMachine } = this.#options
    if (onlyThisMachine && !addresses.every(isLoopback)) throw new ForbiddenTarget('no contact')
    const isFree = (address: string) =>
      target.replaced || mayConnect === undefined || mayConnect(url.host, address)
    const opened = await this.#openFirst(addresses, isFree, target.port, options, deadline)
    const { remoteAddress } = opened.wire
    if (!target.replaced && remoteAddress) {
      this.#dns.prefer(target.address, remoteAddress)
      // Without a way for IPv6, every host would first be counted at an address it is not reached at.
      if (isIP(addresses[0]!) > isIP(remoteAddress))
        this.#ipv4FirstUntil = performance.now() + IPV4_FIRST_MS
    }
    return opened
  }

  #checkUrl(url: URL, target: Target): void {
    const refusal =
      urlRefusal(url) ??
      (!this.#options.allowPrivate && isIP(target.address) > 0
        ? addressRefusal(target.address)
        : undefined)
    if (refusal !== undefined) throw new ForbiddenTarget(refusal)
  }

  /** A host's addresses that may be connected to; there is at least one. */
  async #addressesOf(host: string, deadline: number): Promise<readonly string[]> {
    if (isIP(host)) return [host]
    const all = await inTime(this.#dns.addressesOf(host), deadline, 'DNS timeout')
    const allowed = this.#options.allowPrivate ? all : publicAddresses(all)
    const isIpv4First = performance.now() < this.#ipv4FirstUntil
    return isIpv4First ? allowed.toSorted((a, b) => isIP(a) - isIP(b)) : allowed
  }

  async #openFirst(
    addresses: readonly string[],
    isFree: (address: string) => boolean,
    port: number,
    options: ConnectOptions,
    deadline: number,
  ): Promise<OpenSocket> {
    for (const [i, address] of addresses.entries()) {
      while (!isFree(address) && performance.now() < deadline) await sleep(RETRY_MS)
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) throw new TimeoutError('connect timeout')
      const isLast = i === addresses.length - 1
      const attemptMs = isLast ? leftMs : Math.min(ATTEMPT_MS, leftMs / (addresses.length - i))
      try {
        return await this.#openAt({ ...options, hostname: address, port: String(port) }, attemptMs)
      } catch (error) {
        const mayGoOn = error instanceof TimeoutError || UNREACHABLE.test(codeOf(error as Error))
        if (isLast || !mayGoOn) throw error
      }
    }
    throw new Error('no address to connect to')
  }

  async #openThrough(
    proxy: HttpProxy,
    target: Target,
    options: ConnectOptions,
    deadline: number,
  ): Promise<OpenSocket> {
    const leftMs = () => deadline - performance.now()
    if (target.scheme === 'http')
      return this.#openAt(
        { ...options, hostname: proxy.address, port: String(proxy.port) },
        leftMs(),
      )
    const host = isIP(target.address) === 6 ? `[${target.address}]` : target.address
    const httpSocket = await openTunnel(proxy, `${host}:${target.port}`, leftMs())
    return this.#encrypt(httpSocket, { ...options, hostname: target.address }, leftMs())
  }

  async #openAt(options: ConnectOptions, timeoutMs: number): Promise<OpenSocket> {
    const deadline = performance.now() + timeoutMs
    const plain = { ...options, protocol: 'http:', servername: undefined }
    const wire = await this.#connected(plain, timeoutMs)
    if (options.protocol !== 'https:') return { socket: wire, wire }
    return this.#encrypt(wire, options, deadline - performance.now())
  }

  /** TLS on top of a socket of our own, whose bytes can be counted. */
  async #encrypt(wire: Socket, options: ConnectOptions, timeoutMs: number): Promise<OpenSocket> {
    try {
      return { socket: await this.#connected({ ...options, httpSocket: wire }, timeoutMs), wire }
    } catch (error) {
      wire.destroy()
      throw error
    }
  }

  #connected(options: ConnectOptions, timeoutMs: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => socket.destroy(new TimeoutError('connect timeout')),
        Math.max(timeoutMs, 0),
      )
      const socket = this.#connect(options, (error, connected) => {
        clearTimeout(timer)
        if (error) reject(error)
        else resolve(connected!)
      }) as unknown as Socket
      // A socket that closes without a word must not be waited for.
      socket.once('close', () => {
        clearTimeout(timer)
        reject(Object.assign(new Error('closed while connecting'), { code: 'ECONNRESET' }))
      })
    })
  }
}

/** What a promise gives, unless the deadline passes first. */
function inTime<T>(promise: Promise<T>, deadline: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const leftMs = Math.max(deadline - performance.now(), 0)
    const timer = setTimeout(() => reject(new TimeoutError(what)), leftMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
