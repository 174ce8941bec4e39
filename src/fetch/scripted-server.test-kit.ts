import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSecureServer } from 'node:http2'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import type { Fetcher, FetchRequest } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { type LiveFetcher, type LiveFetcherOptions, liveFetcher } from './live-fetcher.ts'
import type { Certificate } from './self-signed.test-kit.ts'
import { type Threads, threadedFetcher } from './thread/threaded-fetcher.ts'
import { parseResolveRule } from './wire/resolve-rules.ts'

interface Arrival {
  readonly host: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** On `performance.now()`'s clock. */
  readonly at: number
  endedAt: number
}

export type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** A real server on a free port of this machine that answers as told and writes down who came. */
export async function scriptedServer(respond: Respond) {
  const arrivals: Arrival[] = []
  let inFlight = 0
  let mostInFlight = 0
  const server = createServer((request, response) => {
    const { headers, url: path = '' } = request
    const arrival = { host: headers.host ?? '', path, headers, at: performance.now(), endedAt: 0 }
    arrivals.push(arrival)
    mostInFlight = Math.max(mostInFlight, ++inFlight)
    response.on('close', () => {
      inFlight--
      arrival.endedAt = performance.now()
    })
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    pages: () => arrivals.filter(({ path }) => path !== '/robots.txt'),
    mostInFlight: () => mostInFlight,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** The same with TLS: HTTP/2 for those who offer it, else HTTP/1.1. */
export async function scriptedTlsServer(certificate: Certificate, respond: Respond) {
  const arrivals: (Arrival & { readonly version: string })[] = []
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    const { url: path = '', httpVersion: version } = request
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !name.startsWith(':')),
    )
    const host = request.headers[':authority'] ?? request.headers.host ?? ''
    arrivals.push({ host, path, headers, version, at: performance.now(), endedAt: 0 })
    respond(request as unknown as IncomingMessage, response as unknown as ServerResponse)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    arrivals,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** A server below HTTP: `answer` writes whatever bytes it likes to the socket, robots.txt is a 404. */
export async function rawServer(answer: (socket: Socket, request: string) => void) {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const request = data.toString('latin1')
      if (request.startsWith('GET /robots.txt'))
        socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
      else answer(socket, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Answers robots.txt with `robots` (404 without), and anything else with a small page. */
export function smallSite(robots?: string): Respond {
  return (request, response) => {
    if (request.url === '/robots.txt') {
      if (robots === undefined) response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(robots)
      return
    }
    response.writeHead(200, { 'content-type': 'text/html' }).end(htmlOf(`page ${request.url}`))
  }
}

export function htmlOf(title: string): string {
  return `<!doctype html><title>${title}</title><p>Words <a href="/next">onward</a></p>`
}

/** A fetcher whose every host is the server on `port`. */
export function fetcherTo(port: number, options: Partial<LiveFetcherOptions> = {}) {
  return closing(liveFetcher(optionsFor(port, options)))
}

/** The same on threads of its own. */
export function threadTo(
  port: number,
  options: Partial<LiveFetcherOptions> = {},
  threads?: Threads,
) {
  return closing(threadedFetcher(optionsFor(port, options), threads))
}

function closing(fetcher: LiveFetcher) {
  return Object.assign(fetcher, { [Symbol.asyncDispose]: () => fetcher.close() })
}

function optionsFor(port: number, options: Partial<LiveFetcherOptions>): LiveFetcherOptions {
  return {
    userAgent: 'forager-test/1.0 (+https://example.org/bot)',
    agentToken: 'forager',
    resolve: [parseResolveRule(`*=127.0.0.1:${port}`)],
    delayMs: 0,
    connectionsPerHost: 1,
    concurrency: 64,
    timeouts: { connectMs: 5_000, firstByteMs: 5_000, totalMs: 10_000 },
    maxBodyBytes: 1_000_000,
    clock: { now: () => 1_000 },
    ...options,
  }
}

export function requestsFor(...urls: string[]): FetchRequest[] {
  return urls.map((url, i) => ({ id: i, url, priority: -i }))
}

/** Posts the requests and reads until no more comes; from an abort on, only what is under way. */
export async function* answersTo(
  fetcher: Fetcher,
  requests: readonly FetchRequest[],
  signal?: AbortSignal,
): AsyncGenerator<FetchOutcome, void, undefined> {
  const stop = () => fetcher.post({ requests: [], sends: 0 })
  if (signal?.aborted) stop()
  else fetcher.post({ requests, sends: requests.length })
  signal?.addEventListener('abort', stop, { once: true })
  for (let outcome = await fetcher.next(); outcome; outcome = await fetcher.next()) yield outcome
}

/** All outcomes, in order of the requests' ids. */
export async function outcomesOf(
  fetcher: Fetcher,
  requests: readonly FetchRequest[],
  signal?: AbortSignal,
): Promise<FetchOutcome[]> {
  const outcomes = await Array.fromAsync(answersTo(fetcher, requests, signal))
  return outcomes.sort((a, b) => a.id - b.id)
}
