import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { PerformanceObserver } from 'node:perf_hooks'

/** How long the parts of one request took; a part that did not happen is left out. */
export interface RequestTiming {
  readonly url: string
  /** Looking the host up, which comes before all else. */
  dnsMs?: number
  /** Connecting, TLS included. */
  connectMs?: number
  /** From the request sent to the first line of the answer. */
  firstByteMs?: number
  /** From there to the end of the body. */
  bodyMs?: number
}

interface UndiciRequest {
  readonly origin: string | URL
  readonly path: string
}

/** Watches all requests of this process, by what the HTTP client tells its diagnostics channels. */
export class RequestTimings {
  #requests: RequestTiming[] = []
  readonly #ended: (() => void)[] = []
  #connectingSince = 0
  #connectMs: number | undefined
  #dnsMs: number | undefined
  #sentAt = 0
  #answeredAt = 0

  constructor() {
    const lookups = new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === 'lookup') this.#dnsMs = duration
    })
    lookups.observe({ entryTypes: ['dns'] })
    this.#ended.push(() => lookups.disconnect())
    this.#on('undici:client:beforeConnect', () => {
      this.#connectingSince = performance.now()
    })
    this.#on('undici:client:connected', () => {
      this.#connectMs = performance.now() - this.#connectingSince
    })
    this.#on('undici:client:sendHeaders', (request) => {
      this.#sentAt = performance.now()
      const dnsMs = this.#connectMs === undefined ? undefined : this.#dnsMs
      this.#requests.push({
        url: new URL(request.path, request.origin).href,
        dnsMs,
        connectMs: this.#connectMs,
      })
      this.#connectMs = undefined
      this.#dnsMs = undefined
    })
    this.#on('undici:request:headers', () => {
      this.#answeredAt = performance.now()
      const last = this.#requests.at(-1)
      if (last) last.firstByteMs = this.#answeredAt - this.#sentAt
    })
    this.#on('undici:request:trailers', () => {
      const last = this.#requests.at(-1)
      if (last) last.bodyMs = performance.now() - this.#answeredAt
    })
  }

  /** The last request for a path; what it went to may have been replaced by --resolve or a proxy. */
  last(url: string): RequestTiming | undefined {
    const { pathname, search } = new URL(url)
    return this.#requests.findLast((request) => request.url.endsWith(pathname + search))
  }

  /** Begins anew, for the next step. */
  forget(): void {
    this.#requests = []
  }

  stop(): void {
    for (const end of this.#ended) end()
  }

  #on(channel: string, hear: (request: UndiciRequest) => void): void {
    const listener = (message: unknown) => hear((message as { request: UndiciRequest }).request)
    subscribe(channel, listener)
    this.#ended.push(() => unsubscribe(channel, listener))
  }
}
